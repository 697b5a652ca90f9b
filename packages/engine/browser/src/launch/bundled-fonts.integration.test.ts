import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bundledFamilies, writeFontSettings } from '@vid/assets'
import { expect, test } from 'vitest'
import { freshFolder } from '../fixtures/archives.ts'
import { readPageFacts } from '../fixtures/page-facts.ts'

interface Drawn {
  /** The pixels, as a number that equal pictures share. */
  readonly hash: number
  /** Pixels that are not blank, and of those the ones with a hue. */
  readonly ink: number
  readonly coloured: number
  readonly width: number
}

/** Draws each text with its CSS font on a canvas of its own and measures the pixels. */
const draw = async (texts: readonly (readonly [font: string, text: string])[]): Promise<readonly Drawn[]> =>
  (await readPageFacts(`
    return ${JSON.stringify(texts)}.map(([font, text]) => {
      const canvas = document.createElement('canvas')
      canvas.width = 400
      canvas.height = 60
      const context = canvas.getContext('2d')
      context.font = font
      context.fillText(text, 5, 42)
      const { data } = context.getImageData(0, 0, 400, 60)
      let hash = 0, ink = 0, coloured = 0
      for (let offset = 0; offset < data.length; offset += 4) {
        const [r, g, b, a] = data.slice(offset, offset + 4)
        if (a > 0) ink += 1
        if (a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 60) coloured += 1
        hash = (Math.imul(hash, 31) + r * 7 + g * 5 + b * 3 + a) | 0
      }
      return { hash, ink, coloured, width: context.measureText(text).width }
    })`)) as readonly Drawn[]

const TEXT = 'Hamburg iiii'

test.runIf(process.platform === 'linux')('sans, serif and mono differ, and the generic names draw them', async () => {
  const families = ['Inter', 'Source Serif 4', 'JetBrains Mono']
  const generics = ['sans-serif', 'serif', 'monospace']
  const pictures = await draw([...families, ...generics].map((family) => [`32px ${JSON.stringify(family)}`, TEXT]))
  const generic = await draw(generics.map((family) => [`32px ${family}`, TEXT]))
  const hashes = pictures.slice(0, 3).map(({ hash }) => hash)
  expect(new Set(hashes).size).toBe(3)
  expect(generic.map(({ hash }) => hash)).toEqual(hashes)
  for (const { ink } of pictures) expect(ink).toBeGreaterThan(500)
})

test.runIf(process.platform === 'linux')(
  'a monospace font has one width for all characters, a sans font does not',
  async () => {
    const texts = ['iiii', 'mmmm']
    const mono = await draw(texts.map((text) => ['32px Menlo', text]))
    const sans = await draw(texts.map((text) => ['32px Arial', text]))
    expect(mono[0]?.width).toBe(mono[1]?.width)
    expect(sans[0]?.width).toBeLessThan(sans[1]?.width ?? 0)
  },
)

test.runIf(process.platform === 'linux')('emoji are drawn in colour, text is not', async () => {
  const [emoji, astronaut, text] = await draw([
    ['32px sans-serif', '😀🎉'],
    ['32px serif', '👩‍🚀'],
    ['32px sans-serif', 'ab'],
  ])
  expect(emoji?.coloured).toBeGreaterThan(300)
  expect(astronaut?.ink).toBeGreaterThan(300)
  expect(astronaut?.width).toBeLessThan(60)
  expect(text?.coloured).toBe(0)
})

test.runIf(process.platform === 'linux')('weights and italics have their own glyphs', async () => {
  const styles = ['400', '500', '600', '700', '900', 'italic 400', 'italic 700']
  for (const family of ['Inter', 'Source Serif 4']) {
    const pictures = await draw(styles.map((style) => [`${style} 32px ${JSON.stringify(family)}`, TEXT]))
    expect(new Set(pictures.map(({ hash }) => hash)).size).toBe(styles.length)
  }
})

/** The weights that a family has files for, and those of CSS between them with the one that it chooses. */
const LIGHT = [200, 300, 400, 500, 600, 700, 800]
const BETWEEN = [
  [250, 200],
  [350, 300],
  [399, 300],
  [450, 500],
  [550, 600],
  [650, 700],
  [750, 800],
] as const

test.runIf(process.platform === 'linux')('a weight is the face that CSS chooses for it', async () => {
  const families = [
    {
      family: 'Inter',
      weights: [100, ...LIGHT, 900],
      between: [
        [150, 100],
        [850, 900],
        [1000, 900],
      ],
    },
    {
      family: 'Source Serif 4',
      weights: [...LIGHT, 900],
      between: [
        [100, 200],
        [850, 900],
      ],
    },
    {
      family: 'JetBrains Mono',
      weights: [100, ...LIGHT],
      between: [
        [150, 100],
        [850, 800],
        [900, 800],
      ],
    },
  ]
  for (const { family, weights, between } of families)
    for (const slant of ['', 'italic ']) {
      const fontOf = (weight: number) => [`${slant}${weight} 32px ${JSON.stringify(family)}`, TEXT] as const
      const faces = await draw(weights.map(fontOf))
      const inks = faces.map(({ ink }) => ink)
      expect(inks, `${slant}${family}`).toEqual([...new Set(inks)].sort((a, b) => a - b))
      const chosen = [...BETWEEN, ...between]
      const pictures = await draw(chosen.map(([weight = 0]) => fontOf(weight)))
      expect(pictures.map(({ hash }, index) => [chosen[index]?.[0], hash])).toEqual(
        chosen.map(([weight, face = 0]) => [weight, faces[weights.indexOf(face)]?.hash]),
      )
    }
})

test.runIf(process.platform === 'linux')(
  'each common family of other systems is drawn with its bundled one',
  async () => {
    for (const { family, aliases } of bundledFamilies) {
      const text = family === 'Noto Color Emoji' ? '😀' : TEXT
      const names = [family, ...aliases.filter((alias) => alias !== '-apple-system')]
      const pictures = await draw(names.map((name) => [`32px ${JSON.stringify(name)}`, text]))
      const other = names.filter((_name, index) => pictures[index]?.hash !== pictures[0]?.hash)
      expect(other).toEqual([])
    }
  },
)

test.runIf(process.platform === 'linux')('no font of the machine is used', async () => {
  const [unknown, fallback] = await draw([
    ['32px "A Family That Nobody Has", monospace', TEXT],
    ['32px monospace', TEXT],
  ])
  expect(unknown?.hash).toBe(fallback?.hash)
  const settings = await readPageFacts('return document.fonts.size')
  expect(settings).toBe(0)
})

test('the settings list only the bundled folders and are written once', async () => {
  await using folder = await freshFolder()
  const file = await writeFontSettings(folder.path)
  const text = await readFile(file, 'utf8')
  const folders = [...text.matchAll(/<dir>(.*?)<\/dir>/g)].map(([, dir]) => dir ?? '')
  expect(folders).toHaveLength(bundledFamilies.length)
  for (const dir of folders) expect((await stat(dir)).isDirectory()).toBe(true)
  expect(text).toContain(`<cachedir>${join(folder.path, 'fontconfig')}</cachedir>`)
  expect(text).not.toContain('<include')
  const { mtimeMs } = await stat(file)
  expect(await writeFontSettings(folder.path)).toBe(file)
  expect((await stat(file)).mtimeMs).toBe(mtimeMs)
})
