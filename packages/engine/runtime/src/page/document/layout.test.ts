import { expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

const root = 'data-composition-id="main" data-width="320" data-height="180" data-duration="1"'
const padding = '<style>html,body{padding:10px 20px}</style>'
const PLACE = 'document.querySelector("p").getBoundingClientRect().toJSON()'

it.each([
  ['<body>', `<html><head>${padding}</head><body ${root}><p style="margin:0">x</p></body></html>`],
  ['<html>', `<html ${root}><head>${padding}</head><body><p style="margin:0">x</p></body></html>`],
])('a root that is %s keeps its padding, inside its size', async (_title, html) => {
  const { read } = await start(`<!doctype html>${html}`)
  expect(await read(PLACE)).toMatchObject({ left: 20, top: 10, width: 280 })
  expect(await read('document.querySelector("[data-vid-root]").offsetWidth')).toBe(320)
})

it('what is around the root has no padding', async () => {
  const { read } = await start(composition('<p style="margin:0">x</p>', { head: padding }))
  expect(await read(PLACE)).toMatchObject({ left: 0, top: 0, width: 320 })
})

it('a page that begins white may get a background', async () => {
  const { read } = await start(composition('<p>x</p>', { head: '<style>html.dark{background:#111}</style>' }))
  const background = () => read('getComputedStyle(document.documentElement).backgroundColor')
  expect(await background()).toBe('rgb(255, 255, 255)')
  await read('document.documentElement.className = "dark"')
  expect(await background()).toBe('rgb(17, 17, 17)')
})
