// Unpacks the program, or answers one question: wasm_exec.js of Go, which is in front of this text, runs the program;
// the table is its standard input, each line of its standard output an answer, the last one whole, and each line of
// standard error is progress.
"use strict";

onmessage = async ({ data: { packed, size, module, args, table } }) => {
  if (packed) {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    try {
      postMessage({ module: await WebAssembly.compile(unpack(bytes, size)) });
    } catch (fault) {
      postMessage({ fault: String(fault) });
    }
    return;
  }
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

// unpack gives the size bytes that are packed in a file .lzma: LZMA by the specification of I. Pavlov (2015), whose
// names of the arrays stand behind ours. Chances that a bit is 0 are in units of 1/2048; range and code are numbers of
// 32 bits without a sign, which "^ least" compares.
function unpack(packed, size) {
  const to = new Uint8Array(size), least = -0x80000000;
  const literal = packed[0] % 9, low = Math.floor(packed[0] / 9) % 5, places = Math.floor(packed[0] / 45); // lc, lp, pb
  const chances = (n) => new Uint16Array(n).fill(1024);
  const literals = chances(0x300 << (literal + low)); // LitProbs
  const matches = chances(12 << 4), again = chances(12), long = chances(12 << 4); // IsMatch, IsRep, IsRep0Long
  const first = chances(12), second = chances(12), third = chances(12); // IsRepG0, IsRepG1, IsRepG2
  const slots = chances(4 << 6), near = chances(128), aligned = chances(16); // PosSlot, PosDecoders, Align
  const lengths = chances(514), lengthsAgain = chances(514); // LenDecoder, RepLenDecoder: choice, low, mid, high
  let range = -1, code = 0, at = 14, put = 0; // a head of 13 bytes, and one that is 0
  for (let k = 0; k < 4; k++) code = (code << 8) | packed[at++];
  const bit = (of, k) => {
    const chance = of[k], bound = Math.imul(range >>> 11, chance);
    const is = (code ^ least) >= (bound ^ least) ? 1 : 0;
    if (is) {
      range = (range - bound) | 0;
      code = (code - bound) | 0;
      of[k] = chance - (chance >> 5);
    } else {
      range = bound;
      of[k] = chance + ((2048 - chance) >> 5);
    }
    if ((range & 0xff000000) === 0) {
      range <<= 8;
      code = (code << 8) | packed[at++];
    }
    return is;
  };
  const tree = (of, from, bits) => {
    let k = 1;
    for (let n = bits; n > 0; n--) k = (k << 1) | bit(of, from + k);
    return k - (1 << bits);
  };
  const back = (of, from, bits) => {
    let k = 1, sum = 0;
    for (let n = 0; n < bits; n++) {
      const is = bit(of, from + k);
      k = (k << 1) | is;
      sum |= is << n;
    }
    return sum;
  };
  const lengthOf = (of, place) => {
    if (!bit(of, 0)) return 2 + tree(of, 2 + (place << 3), 3);
    if (!bit(of, 1)) return 10 + tree(of, 130 + (place << 3), 3);
    return 18 + tree(of, 258, 8);
  };
  const distanceOf = (length) => {
    const slot = tree(slots, Math.min(length - 2, 3) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1, start = (2 | (slot & 1)) << bits;
    if (slot < 14) return start + back(near, start - slot, bits);
    let sum = 0;
    for (let n = bits - 4; n > 0; n--) {
      range >>>= 1;
      const is = (code ^ least) >= (range ^ least) ? 1 : 0;
      if (is) code = (code - range) | 0;
      if ((range & 0xff000000) === 0) {
        range <<= 8;
        code = (code << 8) | packed[at++];
      }
      sum = (sum << 1) | is;
    }
    return start + (sum << 4) + back(aligned, 0, 4);
  };
  let state = 0, a = 0, b = 0, c = 0, d = 0;
  while (put < size) {
    const place = put & ((1 << places) - 1);
    if (!bit(matches, (state << 4) + place)) {
      const before = put ? to[put - 1] : 0;
      const from = 0x300 * (((put & ((1 << low) - 1)) << literal) + (before >> (8 - literal)));
      let k = 1;
      if (state >= 7) {
        for (let like = to[put - a - 1]; k < 0x100;) {
          const want = (like >> 7) & 1;
          like <<= 1;
          const is = bit(literals, from + ((1 + want) << 8) + k);
          k = (k << 1) | is;
          if (is !== want) break;
        }
      }
      while (k < 0x100) k = (k << 1) | bit(literals, from + k);
      to[put++] = k;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length;
    if (!bit(again, state)) {
      [d, c, b] = [c, b, a];
      length = lengthOf(lengths, place);
      a = distanceOf(length);
      state = state < 7 ? 7 : 10;
    } else {
      if (!bit(first, state)) {
        if (!bit(long, (state << 4) + place)) {
          state = state < 7 ? 9 : 11;
          to[put] = to[put - a - 1];
          put++;
          continue;
        }
      } else if (!bit(second, state)) {
        [a, b] = [b, a];
      } else if (!bit(third, state)) {
        [a, b, c] = [c, a, b];
      } else {
        [a, b, c, d] = [d, a, b, c];
      }
      length = lengthOf(lengthsAgain, place);
      state = state < 7 ? 8 : 11;
    }
    for (const end = put + length; put < end; put++) to[put] = to[put - a - 1];
  }
  return to;
}
