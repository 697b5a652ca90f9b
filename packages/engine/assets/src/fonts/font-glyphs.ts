import { type FileHandle, open, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundledFamilies } from './bundled-families.ts'

/** Code points from `first` to `last`. */
export type CodeRange = readonly [first: number, last: number]

const read = async (file: FileHandle, offset: number, bytes: number): Promise<DataView> => {
  const { buffer, byteOffset, byteLength } = (await file.read(Buffer.alloc(bytes), 0, bytes, offset)).buffer
  return new DataView(buffer, byteOffset, byteLength)
}

/** Format 12 of a `cmap`: groups of code points. */
const readGroups = (table: DataView): CodeRange[] =>
  Array.from({ length: table.getUint32(12) }, (_, index) => {
    const offset = 16 + index * 12
    return [table.getUint32(offset), table.getUint32(offset + 4)]
  })

/** Format 4 of a `cmap`: segments of the first plane. */
const readSegments = (table: DataView): CodeRange[] => {
  const bytes = table.getUint16(6)
  return Array.from({ length: bytes / 2 }, (_, index): CodeRange => {
    const end = 14 + index * 2
    return [table.getUint16(end + bytes + 2), table.getUint16(end)]
  }).filter(([first]) => first < 0xffff)
}

const readCmap = async (file: FileHandle, offset: number): Promise<CodeRange[]> => {
  const head = await read(file, offset, 4)
  const records = await read(file, offset + 4, head.getUint16(2) * 8)
  const ranges: CodeRange[] = []
  for (let record = 0; record < records.byteLength; record += 8) {
    const start = offset + records.getUint32(record + 4)
    const format = (await read(file, start, 2)).getUint16(0)
    if (format !== 4 && format !== 12) continue
    const length = await read(file, start, 8)
    const table = await read(file, start, format === 4 ? length.getUint16(2) : length.getUint32(4))
    ranges.push(...(format === 4 ? readSegments(table) : readGroups(table)))
  }
  return ranges
}

/** The code points that an OpenType font has glyphs for. */
export const readCodePoints = async (path: string): Promise<CodeRange[]> => {
  const file = await open(path)
  try {
    const tables = (await read(file, 0, 12)).getUint16(4)
    const directory = await read(file, 12, tables * 16)
    for (let offset = 0; offset < directory.byteLength; offset += 16)
      if (directory.getUint32(offset) === CMAP) return await readCmap(file, directory.getUint32(offset + 8))
    return []
  } finally {
    await file.close()
  }
}

/** The table's name, `cmap`, as a number. */
const CMAP = 0x636d6170

/** All weights of a family have glyphs for the same characters. */
const REGULAR = '400Regular'

/** Says of a character whether a font has a glyph for it. */
type HasGlyph = (character: string) => boolean

const readBundled = async (): Promise<HasGlyph> => {
  const require = createRequire(import.meta.url)
  const files = bundledFamilies.map(async ({ carrier }) => {
    const folder = join(dirname(require.resolve(`${carrier}/package.json`)), REGULAR)
    const name = (await readdir(folder)).find((entry) => entry.endsWith('.ttf')) ?? ''
    return readCodePoints(join(folder, name))
  })
  const ranges = (await Promise.all(files)).flat()
  return (character) => {
    const point = character.codePointAt(0) ?? 0
    return ranges.some(([first, last]) => first <= point && point <= last)
  }
}

/** Read once in a process: the installed fonts do not change while it runs. */
let bundled: Promise<HasGlyph> | undefined

/** Says whether any bundled font has a glyph for a character; a character without one is drawn as a box. */
export const bundledGlyphs = (): Promise<HasGlyph> => {
  bundled ??= readBundled().catch((cause: unknown) => {
    bundled = undefined
    throw cause
  })
  return bundled
}
