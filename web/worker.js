// Answers one question: wasm_exec.js of Go, which is in front of this text, runs the program; the table is its
// standard input, the answer its standard output, and each line of standard error is progress.
"use strict";

onmessage = async ({ data: { module, args, table } }) => {
  const decoder = new TextDecoder();
  const said = { 1: [], 2: [] };
  let at = 0;
  const write = (fd, bytes) => {
    said[fd].push(bytes.slice());
    if (fd === 2) postMessage({ doing: decoder.decode(bytes).trim() });
    return bytes.length;
  };
  Object.assign(globalThis.fs, {
    writeSync: write,
    write: (fd, bytes, offset, length, position, done) => done(null, write(fd, bytes.subarray(offset, offset + length))),
    read: (fd, bytes, offset, length, position, done) => {
      const part = table.subarray(at, at + length);
      bytes.set(part, offset);
      at += part.length;
      done(null, part.length);
    },
  });
  const text = async (fd) => new Blob(said[fd]).text();
  try {
    const go = new Go();
    let code = 0;
    go.exit = (c) => {
      code = c;
      onerror = () => true; // its timers that are left find that it has exited
    };
    go.argv = ["web", ...args];
    await go.run(await WebAssembly.instantiate(module, go.importObject));
    if (code !== 0) throw new Error(await text(2));
    postMessage({ answer: JSON.parse(await text(1)) });
  } catch (fault) {
    const lack = /out of memory/.test(await text(2));
    postMessage({ fault: lack ? "the table needs more memory than a browser gives: the program has no such limit"
      : "the program stopped: " + (fault.message || fault) });
  }
};
