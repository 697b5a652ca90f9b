// A page of somebody else as a composition: attributes on its body, and clicks that a visitor would make.

/** Size and length of every composition, in pixels and seconds. */
export const SIZE = { width: 960, height: 540, seconds: 2.5 }

/**
 * Times of the clicks, in milliseconds, and what is clicked, in turn. Each is in the middle between two frames: a click in the
 * moment of a frame may be before its callbacks or after them.
 */
const CLICKS = { firstMs: 417, everyMs: 400, count: 5 }

const CLICKED =
  'button, summary, label, input[type=checkbox], input[type=radio], [onclick], [role=button], .btn, .button'

/**
 * A script that clicks by the clock of the page: the first element, the second, and so on. A page that leaves its address
 * is none of these compositions, so links stay where they are.
 */
const clicks = `<script>addEventListener('load', () => {
  for (let n = 0; n < ${CLICKS.count}; n++)
    setTimeout(() => {
      const all = [...document.querySelectorAll(${JSON.stringify(CLICKED)})]
      if (all.length > 0) all[n % all.length].click()
    }, ${CLICKS.firstMs} + n * ${CLICKS.everyMs})
})
addEventListener('submit', (event) => event.preventDefault(), true)
</script>`

/** Random numbers that are the same in every browser and every run (mulberry32, public domain). */
const random = `<script>{
  let state = 1
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}</script>`

/** What every composition's root gets, for the browser that does not know of compositions, and one font for both. */
const layout = `<style>
*, ::before, ::after { font-family: Inter !important }
:is(html, body):not(#none#none) { margin: 0 !important; overflow: hidden !important }
html:not(#none#none) { padding: 0 !important }
body:not(#none#none) {
  position: relative !important; box-sizing: border-box !important;
  width: ${SIZE.width}px !important; min-width: 0 !important; max-width: none !important;
  height: ${SIZE.height}px !important; min-height: 0 !important; max-height: none !important
}
</style>`

/** The page as a composition, or undefined if it has no body of its own. */
export const makeComposition = (html) => {
  const body = /<body\b/i.exec(html)
  if (!body) return undefined
  const { width, height, seconds } = SIZE
  const attributes = `data-composition-id="page" data-width="${width}" data-height="${height}" data-duration="${seconds}"`
  const head = /<head\b[^>]*>/i.exec(html.slice(0, body.index))
  const start = head ? head.index + head[0].length : body.index
  const before = `${html.slice(0, start)}${random}${layout}${html.slice(start, body.index)}`
  return `${before}${clicks}<body ${attributes}${html.slice(body.index + body[0].length)}`
}
