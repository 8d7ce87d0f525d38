# SPDX-License-Identifier: Apache-2.0
"""A `kscope mcp` that is asked by tests."""
import json
import subprocess


class Server:
    """One process, spoken to line by line."""

    def __init__(self, kscope, *folders):
        self.process = subprocess.Popen([kscope, "mcp", *folders], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.number = 0

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def line(self, line):
        self.send(line)
        return json.loads(self.process.stdout.readline())

    def request(self, method, **parameters):
        self.number += 1
        reply = self.line(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}))
        assert reply["jsonrpc"] == "2.0" and reply["id"] == self.number, reply
        return reply

    def call(self, tool, **arguments):
        """The answer, and whether it is an error."""
        result = self.request("tools/call", name=tool, arguments=arguments)["result"]
        text = result["content"][0]["text"]
        return (text, True) if result["isError"] else (json.loads(text), False)

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        return code
