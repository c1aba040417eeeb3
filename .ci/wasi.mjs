// Runs a program for wasip1 under Node: node .ci/wasi.mjs PROGRAM.wasm ARGUMENT…
// It sees all files, and starts in the current folder.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({
  version: 'preview1',
  args: ['pairrank', ...rest],
  env: { PWD: process.cwd() },
  preopens: { '/': '/' },
  returnOnExit: true,
});
const compiled = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(compiled, wasi.getImportObject());
process.exitCode = wasi.start(instance);
