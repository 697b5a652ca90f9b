import { expect, test } from 'vitest'
import { partOf } from '../../../../../scripts/dev/part-of.ts'
import { height, openSession, pageOf, pixelsOf, take, width } from '../fixtures/session.ts'

const BLUE = '3355bb'
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect id="all" width="100%" height="100%" fill="#${BLUE}"/></svg>`
const files = {
  'w.svg': picture,
  'w.html': `<body style="background:#${BLUE}">`,
  'w.css': `#root { background: #${BLUE} !important }`,
  'w.js': `root.style.background = '#${BLUE}'`,
}

/** From this frame on, the element is there. */
const FROM = 4
const FRAMES = 8

/** Scripts that run once, at the frame in which the element comes. */
const ways: Readonly<Record<string, string>> = {
  'a frame': `add('<iframe src="w.html"></iframe>')`,
  'a frame with its text': `add('<iframe srcdoc="<body style=background:#${BLUE}>"></iframe>')`,
  'a frame that is loaded lazily': `add('<iframe loading="lazy" src="w.html"></iframe>')`,
  'a frame that gets its address later': `add('<iframe></iframe>').src = 'w.html'`,
  'an object': `add('<object type="image/svg+xml" data="w.svg"></object>')`,
  'an embedded file': `add('<embed type="image/svg+xml" src="w.svg">')`,
  'a style sheet': `document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'w.css' }))`,
  'an imported style sheet': `document.head.append(Object.assign(document.createElement('style'), { textContent: '@import "w.css"' }))`,
  'a style sheet that begins to import': `document.querySelector('#own').textContent = '@import "w.css"'`,
  'an object that becomes visible': `const late = document.querySelector('#hidden'); late.style.display = 'block'; late.getBoundingClientRect()`,
  'a script': `document.head.append(Object.assign(document.createElement('script'), { src: 'w.js' }))`,
  'an image': `add('<img src="w.svg">')`,
  'an image of a shadow tree': `add('<div></div>').attachShadow({ mode: 'open' }).innerHTML = '<img src="w.svg" style="width:100%;height:100%">'`,
  'an image that a canvas draws': `const canvas = add('<canvas width="320" height="180"></canvas>'); const image = new Image(); image.onload = () => canvas.getContext('2d').drawImage(image, 0, 0, 320, 180); image.src = 'w.svg'`,
  'the second image that one element loads': `const canvas = add('<canvas width="320" height="180"></canvas>'); const image = new Image(); image.onload = () => image.src.endsWith('2') ? canvas.getContext('2d').drawImage(image, 0, 0, 320, 180) : (image.src = 'w.svg?2'); image.src = 'w.svg?1'`,
  'an image of a drawing': `add('<svg viewBox="0 0 320 180"><image href="w.svg" width="320" height="180" preserveAspectRatio="none"/></svg>')`,
  'an image of a drawing that changes': `document.querySelector('#late').setAttribute('href', 'w.svg')`,
  'a part of another drawing': `add('<svg viewBox="0 0 320 180"><use href="w.svg#all"/></svg>')`,
  'a lazy frame that is scrolled into view': `document.querySelector('#far').scrollTop = 9999`,
  'an image button': `add('<input type="image" src="w.svg">')`,
  'a poster': `add('<video style="object-fit:fill" poster="w.svg"></video>')`,
  'an image of a filter': `add('<svg viewBox="0 0 320 180"><filter id="f" x="0" y="0" width="1" height="1"><feImage href="w.svg" preserveAspectRatio="none"/></filter><rect width="320" height="180" filter="url(#f)"/></svg>')`,
  'an image that becomes lazy once it has its address': `const image = new Image(); image.src = 'w.svg'; image.loading = 'lazy'; image.style = 'width:100%;height:100%'; root.append(image)`,
}

const pageOfWay = (script: string) =>
  pageOf(
    `<svg style="position:absolute;inset:0;width:100%;height:100%" viewBox="0 0 320 180"><image id="late" width="320" height="180" preserveAspectRatio="none"/></svg>
    <div id="far" style="position:absolute;inset:0;overflow:hidden"><div style="height:9999px"></div><iframe
      loading="lazy" src="w.html" style="display:block;width:100%;height:100%;border:0"></iframe></div>
    <style id="own"></style><object id="hidden" type="image/svg+xml" data="w.svg" style="display:none;position:absolute;inset:0;width:100%;height:100%"></object>
    <script>{
      const add = (html) => {
        root.insertAdjacentHTML('beforeend', html)
        root.lastElementChild.style.cssText += ';position:absolute;inset:0;width:100%;height:100%;border:0'
        return root.lastElementChild
      }
      let isDone = false
      addEventListener('vid-seek', ({ detail }) => {
        if (isDone || Math.round(detail.time * 30) < ${FROM}) return
        isDone = true
        ${script}
      })
    }</script>`,
    '#root { background: #fff }',
  )

/** The colour near a corner, in hexadecimal digits. */
const cornerOf = (pixels: Uint8Array): string => {
  const at = ((height - 9) * width + width - 9) * 4
  return Buffer.from(pixels.subarray(at, at + 3)).toString('hex')
}

/** Screenshots wait for a page as the other lanes do, and are tried with one of each kind of load. */
const SHOT: ReadonlySet<string> = new Set(['a frame', 'a style sheet', 'a script', 'an image', 'an image of a drawing'])

test.each(partOf(Object.entries(ways), 9))(
  '%s that a script adds is there in the frame that first shows it, in each lane',
  async (name, script) => {
    for (const lane of ['raster', 'begin-frame', ...(SHOT.has(name) ? (['screenshot'] as const) : [])] as const) {
      const { session } = await openSession({ ...files, 'index.html': pageOfWay(script) }, { lane })
      const frames = await take(session, 0, FRAMES, 'rgba', 'png')
      const corners = await Promise.all(frames.map(async (frame) => cornerOf(await pixelsOf(frame))))
      const expected = Array.from({ length: FRAMES }, (_, frame) => (frame >= FROM ? BLUE : 'ffffff'))
      expect(corners, lane).toEqual(expected)
    }
  },
)

/** Scripts that run in each frame from that one on; nothing of them ever reports a load. */
const withoutLoad: Readonly<Record<string, string>> = {
  'a frame that is removed again': `add('<iframe src="w.html"></iframe>').remove()`,
  'a frame of a removed shadow tree': `const host = add('<div></div>'); host.attachShadow({ mode: 'open' }).innerHTML = '<iframe src="w.html"></iframe>'; setTimeout(() => host.remove())`,
  'a frame that scrolls': `document.querySelector('iframe').src = 'w.html#part' + Math.round(detail.time * 30)`,
  'a script of markup': `add('<i></i>').innerHTML = '<script src="w.js"></' + 'script>'`,
  'data in a script': `document.head.append(Object.assign(document.createElement('script'), { type: 'text/data', src: 'w.js' }))`,
  'data in a script whose kind is said later': `const script = document.createElement('script'); script.src = 'w.js'; script.type = 'text/data'; document.head.append(script)`,
  'a script that has run': `const script = window.script ?? document.createElement('script'); window.script = script; script.src = 'w.js?' + Math.random(); document.head.append(script)`,
  'a style sheet whose address is taken away': `const link = document.createElement('link'); link.rel = 'stylesheet'; link.href = 'w.css'; document.head.append(link); setTimeout(() => link.removeAttribute('href'))`,
  'a style of another kind': `document.head.append(Object.assign(document.createElement('style'), { type: 'text/less', textContent: '@import "w.css"' }))`,
  'an image whose address is taken away': `const image = new Image(); image.src = 'w.svg?' + Math.random(); image.removeAttribute('src')`,
  'a frame in a frame that is removed': `const frame = add('<iframe srcdoc="<body></body>"></iframe>'); frame.onload = () => { frame.contentDocument.body.innerHTML = '<iframe src="w.html"></iframe>'; frame.remove() }`,
  'an object that is not shown': `add('<object hidden data="w.svg" style="display:none !important"></object>').style.display = 'none'`,
  'a style sheet for others': `document.head.append(Object.assign(document.createElement('link'), { rel: 'alternate stylesheet', href: 'w.css' }))`,
  'an image that is never shown': `Object.assign(new Image(), { loading: 'lazy', src: 'w.svg' })`,
  'an image that is never shown, and becomes lazy once it has its address': `Object.assign(new Image(), { src: 'w.svg', loading: 'lazy' })`,
}

test.each(partOf(Object.entries(withoutLoad), 5))('%s is not waited for', async (_name, script) => {
  const page = pageOf(
    `<iframe src="w.html" style="display:none"></iframe><script>{
      const add = (html) => {
        root.insertAdjacentHTML('beforeend', html)
        return root.lastElementChild
      }
      addEventListener('vid-seek', ({ detail }) => {
        if (Math.round(detail.time * 30) < ${FROM}) return
        ${script}
      })
    }</script>`,
  )
  const { session } = await openSession({ ...files, 'index.html': page }, { lane: 'screenshot' })
  expect(await take(session, 0, FRAMES, 'png')).toHaveLength(FRAMES)
})
