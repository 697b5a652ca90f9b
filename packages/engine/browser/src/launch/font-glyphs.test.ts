import { bundledGlyphs } from '@vid/assets'
import { expect, test } from 'vitest'
import { readPageFacts } from '../fixtures/page-facts.ts'

const HAVE = [...'AéжΩếمשअส😀→★']
const LACK = [...'你あ한கა\u{10fffd}']

test('the characters of the bundled fonts are found in their tables', async () => {
  const has = await bundledGlyphs()
  expect(HAVE.filter((character) => !has(character))).toEqual([])
  expect(LACK.filter(has)).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'a character is drawn as a box exactly when no bundled font has a glyph for it',
  async () => {
    const boxes = await readPageFacts(`
    const context = Object.assign(document.createElement('canvas'), { width: 64, height: 64 }).getContext('2d')
    const draw = (font, character) => {
      context.font = font
      context.clearRect(0, 0, 64, 64)
      context.fillText(character, 8, 48)
      return context.getImageData(0, 0, 64, 64).data.join()
    }
    const all = ${JSON.stringify([...HAVE, ...LACK])}
    return ['32px serif', 'bold 32px Inter', '32px monospace'].map((font) =>
      all.filter((character) => draw(font, character) === draw(font, '\\u{10fffd}')))`)
    expect(boxes).toEqual([LACK, LACK, LACK])
  },
)
