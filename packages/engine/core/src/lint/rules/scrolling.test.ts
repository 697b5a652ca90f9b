import { expect, test } from 'vitest'
import { lint, root } from '../fixtures/project.ts'

const messagesOf = async (content: string) =>
  (await lint({ 'index.html': root(content) }))
    .filter(({ code }) => code === 'lint/scrolling')
    .map(({ message }) => message.split(' ', 3).join(' '))

test.each([
  ['scrollTo(0, 100)', 'scrollTo(…) expects the'],
  ['window.scrollBy({ top: 9 })', 'scrollBy(…) expects the'],
  ['document.documentElement.scrollTop = 100', 'documentElement.scrollTop expects the'],
  ['document.scrollingElement.scrollTo({ top: y })', 'scrollTo(…) expects the'],
  ["gsap.to('p', { x: 9, scrollTrigger: 'p' })", 'scrollTrigger expects the'],
  ['ScrollTrigger.create({ trigger: p })', 'ScrollTrigger.create(…) expects the'],
  ['new ScrollTimeline({ source: document.documentElement })', 'new ScrollTimeline(…) expects'],
  ["box.scrollTo({ top: 9, behavior: 'smooth' })", "behavior: 'smooth' does"],
])('a script that scrolls is found: %s', async (code, words) => {
  expect(await messagesOf(`<script>${code}</script>`)).toEqual([words])
})

test.each([
  'scrollTo(0, 0); window.scrollTo({ top: 0 }); document.body.scrollTop = 0',
  'box.scrollTop = 100; box.scrollTo(0, 50); box.scrollIntoView()',
  'const scroll = (x) => x; scroll(5)',
  "gsap.to('p', { scrollTrigger: { trigger: 'p', scroller: '#box' } })",
  'new ScrollTimeline({ source: box })',
])('a script that scrolls an element, or to the beginning, is not: %s', async (code) => {
  expect(await messagesOf(`<script>${code}</script>`)).toEqual([])
})

test.each([
  ['#box { scroll-behavior: smooth }', ['scroll-behavior: smooth does']],
  ['p { animation-timeline: scroll(block root) }', ['animation-timeline: scroll(block root)']],
  ['html { scroll-behavior: smooth }', []],
  ['p { animation-timeline: scroll(nearest); scroll-behavior: auto }', []],
])('a style sheet that scrolls: %s', async (css, words) => {
  expect(await messagesOf(`<style>${css}</style>`)).toEqual(words)
})
