import { expect, test } from 'vitest'
import { openSession, pageOf, pixelAt, pixelsOf, take } from '../fixtures/session.ts'

const STYLE = '#box { height: 100px; background: #fff; transition: background 2s linear } #box.on { background: #000 }'

/** The shade of the box of a page after one of the two seconds of its transition. */
const shadeOf = async (content: string, files: Readonly<Record<string, string>> = {}): Promise<number | undefined> => {
  const { session, warnings } = await openSession({ 'index.html': pageOf(content, STYLE), ...files })
  const [frame] = await take(session, 30, 1)
  expect(warnings).toEqual([])
  return frame && pixelAt(await pixelsOf(frame), 20, 20)[0]
}

const box = '<div id="box"></div>'
const turn = "box.classList.add('on')"
/** So much that the browser shows a part of the document before it has read the rest. */
const pause = '<p hidden>x</p>'.repeat(8000)

test.each([
  ['a box of it is read', `${box}<script>box.offsetWidth; ${turn}</script>`],
  ['a box of another element is read', `${box}<p id="p">p</p><script>p.getBoundingClientRect(); ${turn}</script>`],
  [
    'a style is read, and another script changes it',
    `${box}<script>getComputedStyle(box).color</script><script>${turn}</script>`,
  ],
  ['a box is read twice', `<script>root.offsetWidth</script>${box}<script>root.offsetWidth; ${turn}</script>`],
  [
    'a box in a shadow tree is read',
    `<div id="host"></div><script>
      const tree = host.attachShadow({ mode: 'open' })
      tree.innerHTML = '<style>${STYLE}</style>${box}'
      const box = tree.querySelector('#box')
      box.offsetWidth
      ${turn}
    </script>`,
  ],
])('a change while the document loads starts a transition after %s', async (_name, content) => {
  expect(await shadeOf(content)).toBeCloseTo(128, -1)
})

test.each([
  ['nothing is read', `${box}<script>${turn}</script>`],
  ['another element is read before it is there', `<script>root.offsetWidth</script>${box}<script>${turn}</script>`],
  [
    'the document comes in parts after a box is read',
    `<script>root.offsetWidth</script>${box}${pause}<script>${turn}</script>`,
  ],
  ['it is read after the change', `${box}<script>${turn}; box.offsetWidth</script>`],
])('a change while the document loads applies at once when %s', async (_name, content) => {
  expect(await shadeOf(content)).toBe(0)
})

test('a style sheet for which no script waits starts no transition', async () => {
  const late = `${box}<script>
    box.offsetWidth
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'late.css' }))
  </script>`
  expect(await shadeOf(late, { 'late.css': '#box { background: #000 !important }' })).toBe(0)
})

test('functions of the page are its own again after it has loaded', async () => {
  const content = `${box}<script>
    const read = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'offsetWidth').get
    addEventListener('load', () => {
      const { get } = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'offsetWidth')
      if (/native code/.test(get) && read.call(box) === box.offsetWidth) box.style.cssText = 'background: #777; transition: none'
    })
  </script>`
  expect(await shadeOf(content)).toBe(0x77)
})
