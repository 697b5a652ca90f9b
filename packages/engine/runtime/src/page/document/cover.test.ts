import { expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

it.each([
  ['#root { background: #123 }', true],
  ['#root { background: #123; opacity: 0.9 }', false],
  ['#root { background: #1234 }', false],
  ['#root { background: linear-gradient(red, blue) }', false],
  ['#root { background: #123; border-radius: 8px }', false],
  ['#root { background: #123; animation: a 1s } @keyframes a { to { opacity: 0 } }', false],
  ['body { background: #123 }', false],
])('the root covers what is behind it with %s: %s', async (style, isCovered) => {
  const { probe } = await start(composition('', { head: `<style>${style}</style>` }))
  expect(probe.covered).toBe(isCovered)
})
