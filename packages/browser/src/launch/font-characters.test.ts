import { bundledLetters } from '@vid/assets'
import { expect, test } from 'vitest'
import { readPageFacts } from '../fixtures/page-facts.ts'

const HAVE = [...'AéжΩếمשअส😀→★']
const LACK = [...'你あ한கა\u{10fffd}']

test('the letters of the bundled fonts are known', async () => {
  const has = await bundledLetters()
  expect(HAVE.filter((letter) => !has(letter))).toEqual([])
  expect(LACK.filter(has)).toEqual([])
})

test.runIf(process.platform === 'linux')('what is known is what is drawn, in any family', async () => {
  const boxes = await readPageFacts(`
    const context = Object.assign(document.createElement('canvas'), { width: 64, height: 64 }).getContext('2d')
    const draw = (font, letter) => {
      context.font = font
      context.clearRect(0, 0, 64, 64)
      context.fillText(letter, 8, 48)
      return context.getImageData(0, 0, 64, 64).data.join()
    }
    const all = ${JSON.stringify([...HAVE, ...LACK])}
    return ['32px serif', 'bold 32px Inter', '32px monospace'].map((font) =>
      all.filter((letter) => draw(font, letter) === draw(font, '\\u{10fffd}')))`)
  expect(boxes).toEqual([LACK, LACK, LACK])
})
