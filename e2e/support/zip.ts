import { crc32 } from 'node:zlib'

/** Bytes of a ZIP archive that stores its files as they are. */
export const zip = (files: Readonly<Record<string, string>>): Buffer => {
  const bodies: Buffer[] = []
  const index: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path)
    const body = Buffer.from(text)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(body), 10)
    facts.writeUInt32LE(body.length, 14)
    facts.writeUInt32LE(body.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, body])
    bodies.push(entry)
    index.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), facts, place, name]))
    offset += entry.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(index.length, 4)
  end.writeUInt16LE(index.length, 6)
  end.writeUInt32LE(Buffer.concat(index).length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, ...index, Buffer.from('PK\x05\x06'), end])
}
