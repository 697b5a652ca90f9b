import { describe, expect, it } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()
const SHOWN = `[...document.querySelectorAll('[id]')].filter((each) => each.id !== 'root' && getComputedStyle(each).visibility === 'visible').map((each) => each.id).join(' ')`

describe('time windows', () => {
  it('shows a clip on its half-open window', async () => {
    const { seek, read, probe } = await start(
      composition(`<div id="a" data-start="0.1" data-duration="0.2"></div><div id="b" data-start="0.3"></div>
        <div id="c" data-start="0" data-end="0.2"></div>`),
    )
    const states: string[] = []
    for (const frame of [0, 2, 3, 6, 8, 9, 30]) {
      await seek(frame)
      states.push(`${frame}: ${await read(SHOWN)}`)
    }
    expect(states).toEqual(['0: c', '2: c', '3: a c', '6: a', '8: a', '9: b', '30: b'])
    expect(probe.stateful).toBe(false)
  })

  it('shows clips and plays animations in a link, whose address has a host', async () => {
    const { seek, read, probe } = await start(
      composition(`<style>@keyframes grow { to { width: 100px } } b { display: block; width: 0; animation: grow 1s linear }</style>
        <a href="https://example.com/"><b id="b"></b><i id="a" data-start="0.2" data-duration="0.2"></i></a>`),
    )
    await seek(9)
    expect(await read('[b.offsetWidth, getComputedStyle(a).visibility].join()')).toBe('30,visible')
    expect(probe.errors).toEqual([])
  })

  it('places a clip after the end of another, with an offset', async () => {
    const { seek, read } = await start(
      composition(`<div id="c-2" data-start="b - 0.5" data-duration="1"></div><div id="b" data-start="intro-1 + 1" data-duration="1"></div>
        <div id="intro-1" data-start="0" data-duration="1"></div>`),
      { fps: 10 },
    )
    const states: string[] = []
    for (const frame of [5, 15, 20, 25, 30, 35]) {
      await seek(frame)
      states.push(await read(SHOWN))
    }
    expect(states).toEqual(['intro-1', '', 'b', 'c-2 b', 'c-2', ''])
  })

  it('takes the end of the composition as the end of a clip that has none', async () => {
    const { seek, read, probe } = await start(
      composition(`<div id="a" data-start="0"></div><div id="b" data-start="a - 1"></div>`, {
        root: 'data-duration="2"',
      }),
      { fps: 1 },
    )
    await seek(0)
    expect(await read(SHOWN)).toBe('a')
    await seek(1)
    expect(await read(SHOWN)).toBe('a b')
    expect(probe.errors).toEqual([])
  })

  it('names a reference that leads nowhere or in a circle', async () => {
    const { probe } = await start(
      composition(`<div id="a" data-start="gone"></div><div id="b" data-start="c" data-duration="1"></div>
        <div id="c" data-start="b" data-duration="1"></div>`),
    )
    expect(probe.errors.map(({ message }) => message)).toEqual([
      '<div id="a"> has data-start="gone", which names no element of its composition',
      '<div id="c"> has data-start="b", which follows itself',
    ])
  })

  it('names an element that follows what is inside itself', async () => {
    const { probe } = await start(composition('<div id="a" data-start="inner"><p id="inner">text</p></div>'))
    expect(probe.errors.map(({ message }) => message)).toEqual([
      '<div id="a"> has data-start="inner", which follows itself',
    ])
  })

  it('shows ten thousand clips, each of which follows the next one in the document', async () => {
    const count = 10_000
    const clips = Array.from({ length: count }, (_, index) => {
      const position = index === count - 1 ? '0' : `c${index + 1}`
      return `<i id="c${index}" data-start="${position}" data-duration="0.001"></i>`
    })
    const { seek, read, probe } = await start(composition(clips.join('')), { fps: 10 })
    expect(probe.errors).toEqual([])
    await seek(5)
    expect(await read(SHOWN)).toBe('c9499')
    expect(await read('document.querySelectorAll("[data-vid-placed]").length')).toBe(count)
  })

  it('resolves starts in a nested composition from its host, and hides what a timed ancestor hides', async () => {
    const { seek, read } = await start(
      composition(`<div id="host" data-composition-id="inner" data-start="1" data-duration="2">
        <p id="first" data-start="0" data-duration="1" style="visibility:visible"></p><p id="last" data-start="1"></p></div>`),
      { fps: 1 },
    )
    const states: string[] = []
    for (const frame of [0, 1, 2, 3]) {
      await seek(frame)
      states.push(await read(SHOWN))
    }
    expect(states).toEqual(['', 'host first', 'host last', ''])
  })

  it('never shows what is marked as hidden, and never hides the root', async () => {
    const { seek, read } = await start(
      composition(`<div data-hidden><b id="a"></b></div><b id="b"></b>`, {
        root: 'data-start="5" data-duration="2"',
      }),
    )
    await seek(0)
    expect(await read(SHOWN)).toBe('b')
    expect(await read('getComputedStyle(root).visibility')).toBe('visible')
  })

  it('picks up clips that a script adds', async () => {
    const { seek, read } = await start(
      composition(`<script>setTimeout(() => {
        root.insertAdjacentHTML('beforeend', '<b id="late" data-start="1" data-duration="1"></b>') }, 100)</script>`),
      { fps: 10 },
    )
    const states: string[] = []
    for (const frame of [5, 10, 20]) {
      await seek(frame)
      states.push(await read(SHOWN))
    }
    expect(states).toEqual(['', 'late', ''])
  })

  it('starts no transition when a clip appears', async () => {
    const { seek, read } = await start(
      composition(
        '<div id="a" data-start="1" style="transition:all 1s linear"><b id="b" style="transition:all 1s"></b></div>',
      ),
    )
    await seek(30)
    expect(await read(SHOWN)).toBe('a b')
    expect(await read('document.getAnimations().length')).toBe(0)
  })

  it('says how long the page is from its nested compositions, else from its clips', async () => {
    const nested = await start(
      composition(
        `<div data-composition-id="inner" data-start="1" data-duration="3"></div><p data-start="0" data-duration="9"></p>`,
      ),
    )
    expect(nested.probe.duration).toBe(4)
    const clips = await start(composition('<p data-start="2" data-duration="3"></p>'))
    expect(clips.probe.duration).toBe(5)
  })
})

describe('the box of a page', () => {
  const box = (id: string) => `(({ x, y, width, height }) => [x, y, width, height])(${id}.getBoundingClientRect())`

  it('has no margins and a root of fixed size, already for the first script', async () => {
    const { read } = await start(
      composition(`<script>window.early = ${box('root')}</script><p style="width:5000px">wide</p>`),
    )
    expect(await read('early')).toEqual([0, 0, 320, 180])
    expect(
      await read(`[getComputedStyle(document.documentElement).overflow, getComputedStyle(root).position]`),
    ).toEqual(['hidden', 'relative'])
  })

  it.each(['inline', 'contents'])('makes a box of a root with display: %s', async (display) => {
    const head = `<style>#root { display: ${display} } </style>`
    const { read } = await start(composition('<p>text</p>', { head }))
    expect(await read(box('root'))).toEqual([0, 0, 320, 180])
  })

  it('places timed children: absolute, at 0 without anchors, full size when they have none', async () => {
    const { seek, read } = await start(
      composition(`<p style="margin:0;height:50px">flow</p>
        <div id="empty" data-start="0"></div>
        <div id="sized" data-start="0" style="position:relative;width:10px;height:20px"></div>
        <div id="anchored" data-start="0" style="right:0;bottom:0;width:10px;height:20px"></div>
        <div id="fixed" data-start="0" style="position:fixed;left:7px;top:8px;width:10px;height:20px"></div>`),
    )
    await seek(0)
    expect(await read(`[${['empty', 'sized', 'anchored', 'fixed'].map(box)}]`)).toEqual([
      [0, 0, 320, 180],
      [0, 0, 10, 20],
      [310, 160, 10, 20],
      [7, 8, 10, 20],
    ])
  })

  it.each(['flex', 'grid'])('takes timed children out of a %s layout, to its left top', async (display) => {
    const head = `<style>
      #root { display: ${display}; align-items: center; justify-content: center }
      b { width: 10px; height: 20px }
    </style>`
    const { read } = await start(
      composition(
        '<b id="timed" data-start="0"></b><b id="anchored" data-start="0" style="left:50%"></b><b id="free"></b>',
        { head },
      ),
    )
    expect(await read(`[${['timed', 'anchored', 'free'].map(box)}]`)).toEqual([
      [0, 0, 10, 20],
      [160, 80, 10, 20],
      [155, 80, 10, 20],
    ])
  })

  it('places what is around an element before the element', async () => {
    const { seek, read } = await start(
      composition(`<div id="outer" data-composition-id="inner" data-start="0">
          <div id="half" data-start="0" style="width:50%;height:50%"></div></div>
        <div id="ratio" data-start="0" style="aspect-ratio:4"></div>`),
    )
    await seek(0)
    expect(await read(`[${['outer', 'half', 'ratio'].map(box)}]`)).toEqual([
      [0, 0, 320, 180],
      [0, 0, 160, 90],
      [0, 0, 320, 80],
    ])
  })

  it('is transparent behind the root when the output has alpha, else white', async () => {
    const html = composition('', { head: '<style>body{background:red}#root{background:lime}</style>' })
    const colours =
      '[document.documentElement, document.body, root].map((each) => getComputedStyle(each).backgroundColor)'
    expect(await (await start(html, { alpha: true })).read(colours)).toEqual([
      'rgba(0, 0, 0, 0)',
      'rgba(0, 0, 0, 0)',
      'rgb(0, 255, 0)',
    ])
    expect(await (await start(composition(''))).read(colours)).toContain('rgb(255, 255, 255)')
  })
})
