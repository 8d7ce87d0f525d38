// SPDX-License-Identifier: Apache-2.0
// Instead of libsystemd, where there is none: what libdbus asks of it, "systemd did not start this
// program".
extern "C" {

int sd_listen_fds(int /*unsetEnvironment*/) {
    return 0;
}
int sd_is_socket(int /*file*/, int /*family*/, int /*type*/, int /*listening*/) {
    return 0;
}

}  // extern "C"
