// Damages media files as disks, networks and attackers do.

/** Numbers that lengths and counts are replaced with. */
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]

const flip = (bytes, random) => {
  for (let count = 1 + random.below(40); count > 0; count--) bytes[random.below(bytes.length)] ^= 1 << random.below(8)
  return bytes
}

const truncate = (bytes, random) => bytes.subarray(0, random.below(bytes.length))

const cutOut = (bytes, random) => {
  const from = random.below(bytes.length)
  const length = random.below(bytes.length / 4)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
}

const duplicate = (bytes, random) => {
  const from = random.below(bytes.length)
  const part = bytes.subarray(from, from + 1 + random.below(4096))
  const offset = random.below(bytes.length)
  return Buffer.concat([bytes.subarray(0, offset), ...Array(1 + random.below(8)).fill(part), bytes.subarray(offset)])
}

const swap = (bytes, random) => {
  const [one, two, three] = [0, 0, 0].map(() => random.below(bytes.length)).sort((a, b) => a - b)
  return Buffer.concat([
    bytes.subarray(0, one),
    bytes.subarray(two, three),
    bytes.subarray(one, two),
    bytes.subarray(three),
  ])
}

/** Overwrites numbers, most of them in the head, where containers keep lengths, sizes and rates. */
const lengths = (bytes, random) => {
  for (let count = 1 + random.below(6); count > 0; count--) {
    const offset = random.below(Math.min(bytes.length, random.chance(0.7) ? 1024 : bytes.length) - 8)
    if (offset >= 0) bytes[random.chance(0.5) ? 'writeUInt32BE' : 'writeUInt32LE'](random.pick(EXTREMES), offset)
  }
  return bytes
}

/** The length before the name of a box, chunk or element that the file really has. */
const boxes = (bytes, random) => {
  const names = [
    'moov',
    'trak',
    'stts',
    'stsz',
    'stco',
    'stsc',
    'mdat',
    'elst',
    'IHDR',
    'IDAT',
    'acTL',
    'fcTL',
    'data',
    'fmt ',
    'ANMF',
    'VP8X',
  ]
  const offsets = names.map((name) => bytes.indexOf(name)).filter((offset) => offset >= 4)
  if (offsets.length === 0) return lengths(bytes, random)
  const offset = random.pick(offsets) + random.pick([-4, 4, 8, 12, 16])
  if (offset + 4 <= bytes.length) bytes.writeUInt32BE(random.pick(EXTREMES), offset)
  return bytes
}

const noise = (bytes, random) => {
  const from = random.below(bytes.length)
  for (let offset = from; offset < Math.min(bytes.length, from + 512); offset++) bytes[offset] = random.below(256)
  return bytes
}

const spliceHead = (bytes, random, { others }) => {
  const other = random.pick(others)
  const length = 4 + random.below(400)
  return Buffer.concat([other.subarray(0, length), bytes.subarray(random.chance(0.5) ? length : 0)])
}

const append = (bytes, random, { others }) => Buffer.concat([bytes, random.pick(others)])

/** Texts that name other files: `secret` is a file outside the project, `host` an address that counts visits. */
const lists = ({ secret, host }) => [
  `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
  `#EXTM3U\n#EXTINF:2,\nhttp://${host}/list.ts\n#EXT-X-ENDLIST\n`,
  `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="file://${secret}"\n#EXTINF:2,\n../../secret.mp4\n`,
  `ffconcat version 1.0\nfile ${secret}\n`,
  `ffconcat version 1.0\nfile 'http://${host}/concat'\noption protocol_whitelist file,http\n`,
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="9000"><BaseURL>file://${secret}</BaseURL><SegmentBase/></Representation></AdaptationSet></Period></MPD>`,
  `v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio ${host.split(':')[1]} RTP/AVP 0\n`,
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="36"><image xlink:href="file://${secret}" width="64" height="36"/><image href="http://${host}/svg"/></svg>`,
  `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${secret}">]><svg xmlns="http://www.w3.org/2000/svg" width="64" height="36"><text y="20">&x;</text></svg>`,
  `push graphic-context\nviewbox 0 0 64 36\nimage over 0,0 0,0 'http://${host}/mvg'\n`,
  `[playlist]\nFile1=file://${secret}\nNumberOfEntries=1\n`,
  `subfile,,start,0,end,0,,:${secret}`,
]

const list = (_bytes, random, facts) => Buffer.from(random.pick(lists(facts)))
const listInside = (bytes, random, facts) => {
  const text = list(bytes, random, facts)
  const offset = random.chance(0.5) ? random.below(64) : random.below(bytes.length)
  return Buffer.concat([bytes.subarray(0, offset), text, bytes.subarray(offset)])
}

const KINDS = {
  flip,
  truncate,
  cutOut,
  duplicate,
  swap,
  lengths,
  boxes,
  noise,
  spliceHead,
  append,
  list,
  listInside,
}

/** A damaged copy of a file, with the names of what was done to it. */
export const mutateMedia = (bytes, random, facts) => {
  const done = []
  let damaged = Buffer.from(bytes)
  for (let count = 1 + random.below(3); count > 0; count--) {
    if (damaged.length < 16) break
    const kind = random.pick(Object.keys(KINDS))
    damaged = Buffer.from(KINDS[kind](damaged, random, facts))
    done.push(kind)
  }
  return { bytes: damaged, done }
}
