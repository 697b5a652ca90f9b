import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

/** Ids of what is visible, in the document and in all shadow trees. */
const SHOWN = `(() => {
  const inside = (tree) => [...tree.querySelectorAll('*')].flatMap((each) => [each, ...(each.tree ?? each.shadowRoot ? inside(each.tree ?? each.shadowRoot) : [])])
  return inside(document).filter((each) => each.id && each.id !== 'root' && getComputedStyle(each).visibility === 'visible').map((each) => each.id).join(' ')
})()`

const declared = (content: string, host = 'x-card') =>
  `<${host}><template shadowrootmode="open">${content}</template></${host}>`

const attached = (content: string, mode = 'open') =>
  `<div class="host"></div><script>{ const host = document.currentScript.previousElementSibling
    host.tree = host.attachShadow({ mode: '${mode}' }); host.tree.innerHTML = ${JSON.stringify(content)} }</script>`

const CLIPS = '<p id="a" data-start="0.1" data-duration="0.2"></p><p id="b" data-start="a" data-duration="1"></p>'

const shownAt = async (body: string, frames: readonly number[]) => {
  const { seek, read, probe } = await start(composition(body), { fps: 10 })
  const states: string[] = []
  for (const frame of frames) {
    await seek(frame)
    states.push(await read(SHOWN))
  }
  return { states, probe, read }
}

describe('clips in shadow trees', () => {
  it.each([
    ['declared', declared(CLIPS)],
    ['declared inside another', declared(declared(CLIPS, 'div'))],
    ['attached by a script', attached(CLIPS)],
    ['attached by a script and closed', attached(CLIPS, 'closed')],
    ['with an own style for visibility', attached(`<style>p{visibility:visible!important}</style>${CLIPS}`)],
  ])('shows a clip in its window: %s', async (_, body) => {
    const { states, probe } = await shownAt(body, [0, 1, 2, 3, 12, 13])
    expect(states).toEqual(['', 'a', 'a', 'b', 'b', ''])
    expect(probe.errors).toEqual([])
    expect(probe.duration).toBeCloseTo(1.3)
  })

  it('hides them while the clip around their host is hidden, which gives them no time of its own', async () => {
    const body = `<div data-start="0.2" data-duration="0.2">${declared('<i id="a" data-start="0"></i><i id="b" style="visibility:visible"></i>')}</div>`
    const { states, read } = await shownAt(body, [0, 2, 4])
    expect(states[1]).toBe('a b')
    // What insists on being visible is cut away with its host.
    expect(await read(`getComputedStyle(document.querySelector('x-card')).clipPath`)).toBe('inset(50%)')
  })

  it('hides what is slotted into a clip', async () => {
    const body = `<x-card><template shadowrootmode="open"><div data-start="0.2" data-duration="0.2"><slot></slot></div></template>
      <p id="a"></p><p id="b" style="visibility:visible!important"></p></x-card>`
    const { states, read } = await shownAt(body, [0, 2, 4])
    expect(states).toEqual(['b', 'a b', 'b'])
    expect(await read(`getComputedStyle(b).clipPath`)).toBe('inset(50%)')
  })

  it('shows clips beside style sheets that a script adopts later', async () => {
    const body = `${attached('<p id="a" data-start="0.1" data-duration="0.2"></p>')}<script>setTimeout(() => {
      const sheet = new CSSStyleSheet(); sheet.replaceSync('p{color:red}')
      document.querySelector('.host').shadowRoot.adoptedStyleSheets = [sheet] }, 150)</script>`
    const { states } = await shownAt(body, [0, 1, 2, 3])
    expect(states).toEqual(['', 'a', 'a', ''])
  })

  it('picks up trees and clips that a script adds during the composition', async () => {
    const { states } = await shownAt(
      `<div id="host"></div><script>setTimeout(() => {
        const tree = root.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
        tree.innerHTML = '<i id="a" data-start="0.3" data-duration="0.1"></i>'
        setTimeout(() => { host.setHTMLUnsafe('<b><template shadowrootmode="open"></template></b><div><template shadowrootmode="open"><i id="b" data-start="0.5" data-duration="0.1"></i></template></div>') }, 100)
      }, 50)</script>`,
      [0, 2, 3, 4, 5, 6],
    )
    expect(states).toEqual(['host', 'host', 'host a', 'host', 'host b', 'host'])
  })

  it('times animations by the clip around them in their tree', async () => {
    const body = declared(`<style>@keyframes go{to{translate:100px}}</style>
      <p data-start="0.5" data-duration="1"><b style="display:block;animation:go 1s linear both"></b></p>`)
    const { read } = await shownAt(body, [10])
    expect(
      await read(`getComputedStyle(document.querySelector('x-card').shadowRoot.querySelector('b')).translate`),
    ).toBe('50px')
  })

  it('places the clips of a composition whose host is itself', async () => {
    const body = `<div data-composition-id="inner"><template shadowrootmode="open"><p id="a" data-start="0"></p></template></div>`
    const { read } = await shownAt(body, [0])
    expect(
      await read(
        `(({ position, width }) => [position, width])(getComputedStyle(document.querySelector('[data-composition-id=inner]').shadowRoot.querySelector('p')))`,
      ),
    ).toEqual(['absolute', '320px'])
  })

  it('lists media in document order, with the windows around their hosts and slots', async () => {
    const video = (name: string, more = '') => `<video src="${name}.mp4" ${more}></video>`
    const { probe } = await start(
      composition(
        `${video('1')}<div data-start="1" data-duration="4">${declared(video('2', 'data-start="2"') + declared(video('3', 'autoplay'), 'div'))}</div>
         <x-card><template shadowrootmode="open"><p data-start="3" data-duration="1"><slot></slot></p>
           <audio src="5.mp3" data-start="0"></audio></template>${video('4')}</x-card>${attached(video('6', 'data-start="7"'), 'closed')}`,
      ),
    )
    const all = probe.media.map(({ src, start, end, heardFrom, heardUntil }) => [
      src,
      start,
      end,
      heardFrom,
      heardUntil,
    ])
    expect(all).toEqual([
      ['1.mp4', 0, null, undefined, undefined],
      ['2.mp4', 2, null, undefined, 5],
      ['3.mp4', 1, 5, undefined, undefined],
      ['5.mp3', 0, null, undefined, undefined],
      ['4.mp4', 3, 4, undefined, undefined],
      ['6.mp4', 7, null, undefined, undefined],
    ])
  })
})
