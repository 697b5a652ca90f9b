import { expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

const FILE = `<svg xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="fade"/>
  <mask id="half"><rect fill="url(#fade)" stroke="#fff" width="10" height="9"><animate attributeName="width"
  from="0" to="100" dur="1s"/></rect></mask></defs></svg>`

it('a mask of another file is copied into the page, where it moves and keeps its references', async () => {
  const html = composition('<div id="box"></div>', { head: '<style>#box{mask:url(masks.svg#half) no-repeat}</style>' })
  const { seek, read } = await start(html, {}, { '/masks.svg': FILE })
  await seek(15)
  const id = await read<string>(`/#(.+?)"/.exec(getComputedStyle(box).maskImage)[1]`)
  expect(await read(`document.getElementById('${id}').localName`)).toBe('mask')
  const rect = `document.getElementById('${id}').firstElementChild`
  expect(await read(`${rect}.width.animVal.value`)).toBe(50)
  expect(await read(`document.querySelector(${rect}.getAttribute('fill').slice(4, -1)).localName`)).toBe(
    'linearGradient',
  )
  expect(await read(`${rect}.getAttribute('stroke')`)).toBe('#fff')
})

it.each([
  ['with a style sheet', FILE.replace('<defs>', '<style>rect{fill:red}</style><defs>')],
  ['without the mask', FILE.replace('half', 'other')],
])('a file %s is left alone', async (_name, file) => {
  const html = composition('<div id="box"></div>', { head: '<style>#box{mask:url(masks.svg#half)}</style>' })
  const { read } = await start(html, {}, { '/masks.svg': file })
  expect(await read('document.querySelector("mask")')).toBeNull()
})
