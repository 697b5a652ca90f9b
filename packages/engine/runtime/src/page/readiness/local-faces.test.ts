import { expect, test } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

const face = (weight: string, src: string, family = 'Inter') =>
  `@font-face { font-family: "${family}"; font-weight: ${weight}; src: ${src}; }`

test('a face of several weights keeps its other sources, and one of a single weight or another family all of them', async () => {
  const faces = [
    face('400 800', 'local("Inter"), local(Inter Regular), url("gone.woff2") format("woff2")'),
    face('800', 'local("Inter ExtraBold")'),
    face('400 800', 'local("Inter")', 'Brand'),
    `@media screen { ${face('400 800', "local('Inter-Regular')")} }`,
    `@keyframes turn { to { left: 1px } } p { color: red; b & { color: blue } }`,
  ]
  const page = await start(composition('<p>text</p>', { head: `<style>${faces.join('')}</style>` }))
  const texts = await page.read<string[]>('[...document.styleSheets[0].cssRules].map(({ cssText }) => cssText)')
  expect(texts).toHaveLength(6)
  expect(texts[0]).toMatch(/src: url\("gone\.woff2"\) format\("woff2"\)/)
  expect(texts[0]).not.toContain('local')
  expect(texts.slice(1, 3).map((text) => text.includes('local('))).toEqual([true, true])
  expect(texts[3]).not.toContain('@font-face')
  expect(texts[5]).toContain('color: blue')
})
