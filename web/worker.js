// Answers one question: wasm_exec.js of Go, which is in front of this text, runs the program; the table is its
// standard input, each line of its standard output an answer, the last one whole, and each line of standard error is
// progress.
"use strict";

onmessage = async ({ data: { module, args, table } }) => {
  const answers = new TextDecoder(), lines = new TextDecoder();
  let said = ""; // of an answer
  let at = 0, last = ""; // what is read, and the last line of standard error
  const write = (fd, bytes) => {
    if (fd === 2) {
      last = lines.decode(bytes).trim();
      postMessage({ doing: last });
    } else {
      said += answers.decode(bytes, { stream: true });
      if (said.endsWith("\n")) {
        postMessage({ answer: JSON.parse(said) });
        said = "";
      }
    }
    return bytes.length;
  };
  Object.assign(globalThis.fs, {
    writeSync: write,
    write: (fd, bytes, offset, length, position, done) =>
      done(null, write(fd, bytes.subarray(offset, offset + length))),
    read: (fd, bytes, offset, length, position, done) => {
      const part = table.subarray(at, at + length);
      bytes.set(part, offset);
      at += part.length;
      done(null, part.length);
    },
  });
  try {
    const go = new Go();
    let code = 0;
    go.exit = (c) => {
      code = c;
      onerror = () => true; // its timers that are left find that it has exited
    };
    go.argv = ["web", ...args];
    await go.run(await WebAssembly.instantiate(module, go.importObject));
    if (code !== 0) throw new Error(last);
  } catch (fault) {
    postMessage({ fault: /out of memory/.test(last) ? "the table needs more memory than a browser gives: the program " +
      "has no such limit" : "the program stopped: " + (fault.message || fault) });
  }
};
