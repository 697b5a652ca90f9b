import { expect, test } from 'vitest'
import { hyperframesVariant } from './hyperframes-variant.mjs'

const page = (root, script = '', style = '') =>
  `<html data-composition-variables='[{ "id": "hotColor", "type": "color", "default": "#f00" }, { "id": "size", "type": "number", "default": 3 }, { "id": "label", "type": "string", "default": "a; } b" }]'><head><style>${style}</style></head><body><div ${root}></div><script>${script}</script></body></html>`

test('names of vid become those of HyperFrames', () => {
  const variant = hyperframesVariant(
    page('data-composition-id="a"', 'const { hot } = __vid.getVariables(); addEventListener("vid-seek", draw)'),
  )
  expect(variant).toContain('__hyperframes.getVariables()')
  expect(variant).toContain('addEventListener("hf-seek", draw)')
  expect(variant).not.toMatch(/__vid|vid-seek/)
})

test('the defaults of variables are properties of CSS, as vid sets them', () => {
  const variant = hyperframesVariant(page('data-composition-id="a"'))
  expect(variant).toContain('<style>:root { --hotColor: #f00; --size: 3; }</style>')
})

test('GSAP of a CDN becomes the file beside the page', () => {
  const address = 'https://cdn.jsdelivr.net/npm/gsap@3.15.0/dist/gsap.min.js'
  expect(hyperframesVariant(`<head><script src="${address}"></script></head>`)).toContain(
    '<script src="gsap.min.js"></script>',
  )
})

test('a library in an import map becomes a path beside the page', () => {
  const map = '{ "imports": { "three": "https://cdn.jsdelivr.net/npm/three@0.187.0/build/three.module.js" } }'
  expect(hyperframesVariant(`<head><script type="importmap">${map}</script></head>`)).toContain(
    '"three": "./three.module.js"',
  )
})

test.each([
  ['without a timeline', '', true],
  ['with a timeline', 'window.__timelines = { a: timeline }', false],
])('a composition %s tells whether a timeline is to be waited for', (_, script, marked) => {
  const variant = hyperframesVariant(page('data-composition-id="a"', script))
  expect(variant.includes('data-no-timeline')).toBe(marked)
})
