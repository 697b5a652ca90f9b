import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answerFontAddress } from '@vid/assets'
import { expect, test } from 'vitest'
import { popularFamilies } from './index.ts'

const here = dirname(fileURLToPath(import.meta.url))

test.each(popularFamilies)('%s is answered without a network, with its files', async (family) => {
  const url = `https://fonts.googleapis.com/css2?family=${family.replaceAll(' ', '+')}:wght@400;700`
  const css = (await answerFontAddress(here, url))?.body.toString() ?? ''
  expect(css).toContain(`font-family: '${family}';`)
  expect(css).not.toContain('@import')
  const [file = ''] = /https:[^)]+\.woff2/.exec(css) ?? []
  const font = await answerFontAddress(here, file)
  expect(font?.contentType).toBe('font/woff2')
  expect(font?.body.subarray(0, 4).toString()).toBe('wOF2')
})

test('there are twenty', () => {
  expect(new Set(popularFamilies).size).toBe(20)
})
