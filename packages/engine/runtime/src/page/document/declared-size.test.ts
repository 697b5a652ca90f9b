import { expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

/** An embedded file, as its text is compiled, with a box that takes a quarter of its root. */
const embedded = ({ host = 'data-start="0"', root = 'data-width="160" data-height="90"', inner = '' } = {}) =>
  `<div id="host" data-vid-instance="i1" ${host}><div id="inner" data-composition-id="inner" ${root}>${inner}
  <p id="quarter" style="margin:0;width:50%;height:50%">text</p></div></div>`

const sizes = async (html: string, head = '') => {
  const { read } = await start(composition(html, { head }))
  const size = (id: string) => `[${id}.offsetWidth, ${id}.offsetHeight]`
  return read(`({ host: ${size('host')}, inner: ${size('inner')}, quarter: ${size('quarter')} })`)
}

it.each([
  ['a clip', 'data-start="0"', [160, 90]],
  ['no clip', '', [320, 90]],
])('the declared size is that of an embedded root whose host has none and is %s', async (_title, host, size) => {
  const [width = 0, height = 0] = size
  const expected = { host: size, inner: size, quarter: [width / 2, height / 2] }
  expect(await sizes(embedded({ host }))).toEqual(expected)
})

it.each([
  ['data-start="0" style="width:80px;height:60px"', [80, 60]],
  ['data-start="0" style="inset:0"', [320, 180]],
  ['data-start="0" style="width:80px"', [80, 90]],
])('an embedded root fills a host that has a size: %s', async (host, size) => {
  const [width = 0, height = 0] = size
  const expected = { host: size, inner: size, quarter: [width / 2, height / 2] }
  expect(await sizes(embedded({ host }))).toEqual(expected)
})

it('a root that is a clip itself has the declared size too, and fills a host that has one', async () => {
  const root = 'data-width="160" data-height="90" data-start="0"'
  expect(await sizes(embedded({ root }))).toMatchObject({ inner: [160, 90], quarter: [80, 45] })
  const host = 'data-start="0" style="width:80px;height:60px"'
  expect(await sizes(embedded({ host, root }))).toMatchObject({ inner: [80, 60], quarter: [40, 30] })
})

it.each([
  ['<style>#inner { width: 40px; height: 20px }</style>', [40, 20]],
  ['<style>@layer base { #inner { width: 40px; height: 20px } }</style>', [40, 20]],
  ['<style>#inner { padding: 10px }</style>', [160, 90]],
])('the styles of a file come first, and padding is inside: %s', async (head, inner) => {
  expect(await sizes(embedded(), head)).toMatchObject({ inner })
})

it('a host that arranges its content decides about the height of the root', async () => {
  const host = 'data-start="0" style="display:flex;align-items:center;width:80px;height:60px"'
  const size = await sizes(embedded({ host }))
  expect(size).toMatchObject({ host: [80, 60] })
  expect(size).not.toMatchObject({ inner: [80, 60] })
})

it('a root that declares no size keeps that of its content', async () => {
  const size = await sizes(embedded({ root: '', inner: '<i style="display:block;width:30px;height:10px"></i>' }))
  expect(size).not.toMatchObject({ inner: [320, 180] })
})

it('files inside of files are sized from the outside', async () => {
  const host = 'style="width:50%;height:50%"'
  const html = `<div data-vid-instance="i2" data-start="0"><div data-composition-id="outer" data-width="200" data-height="100">
    ${embedded({ host })}</div></div>`
  expect(await sizes(html)).toEqual({ host: [100, 50], inner: [100, 50], quarter: [50, 25] })
})
