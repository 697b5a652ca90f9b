import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { composition, type OpenPage, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

/** A host as compiled text has it: `i<n>`, its values and its content. */
const host = (n: number, inner: string, attributes = 'data-start="0"', values: object = {}) =>
  `<div id="h${n}" data-composition-src="scene.html" data-vid-instance="i${n}" data-vid-variables='${JSON.stringify(values)}' ${attributes}>${inner}</div>`
/** A script as compiled text runs it. */
const scoped = (n: number, code: string) =>
  `<script>(function({document,window,window:self,window:globalThis,gsap,__timelines,__vid,SplitText}){(function(){${code}
  }).call(window)})(__vid.__scope('i${n}'))</script>`
const card = '<div id="card" class="card"><b class="dot"></b></div>'

describe('the document of an embedded composition', () => {
  const page = composition(`<b class="dot" id="outside"></b>${host(1, card)}
    ${host(2, `${card}<b class="dot two"></b>${host(3, card)}`, 'class="dot" data-start="0"')}`)
  const evaluateIn = async (n: number, expression: string) => {
    const { read } = await start(page.replace('</body>', `${scoped(n, `globalThis.answer = ${expression}`)}</body>`))
    return read('answer')
  }

  it.each([
    [1, `document.querySelectorAll('.dot').length`, 1],
    [2, `document.querySelectorAll('.dot').length`, 2],
    [3, `document.querySelectorAll('#card .dot').length`, 1],
    [1, `document.querySelector('#outside')`, null],
    [2, `document.getElementById('card').parentElement.id`, 'h2'],
    [2, `document.getElementById('h3').id`, 'h3'],
    [2, `document.getElementsByClassName('dot').length`, 2],
    [1, `document.getElementsByClassName('card dot').length`, 0],
    [2, `document.getElementsByTagName('b').length`, 2],
    [1, `document.getElementsByTagName('b').item(0).className`, 'dot'],
    [1, `document.getElementsByName('x').length`, 0],
    [2, `[document.body.id, document.documentElement.id]`, ['h2', 'h2']],
    [2, `document.querySelector('body').id`, 'h2'],
    [2, `document.querySelectorAll('html > body > .dot').length`, 1],
    [2, `document.querySelectorAll(':root .card').length`, 1],
    [1, `document.querySelector('[data-x="body"]')`, null],
    [2, `[document instanceof Document, document.nodeType, document.createElement('i').localName]`, [true, 9, 'i']],
    [
      1,
      `[window === self, window.window === window, window.document === document, document.defaultView === window, top === window]`,
      [true, true, true, true, false],
    ],
    [
      1,
      `(() => { try { document.querySelector('..'); return 'nothing' } catch (error) { return error.name } })()`,
      'SyntaxError',
    ],
    [1, `(() => { window.shared = 4; return shared + window.Math.max(1, 2) + window.parseInt('1') })()`, 7],
  ])('of i%i says that %s', async (n, expression, expected) => {
    expect(await evaluateIn(n, expression)).toEqual(expected)
  })

  it('has its own event handlers beside those of the page', async () => {
    const scripts = [1, 2].map((n) =>
      scoped(
        n,
        `window.onload = () => { globalThis.loads = (globalThis.loads ?? 0) + ${n} }; globalThis.kinds = [typeof window.onload, document.onclick]`,
      ),
    )
    const { read } = await start(page.replace('</body>', `${scripts.join('')}</body>`))
    expect(await read('[loads, kinds, window.onload]')).toEqual([3, ['function', null], null])
  })
})

describe('variables of an embedded composition', () => {
  const inner = '<p data-var-text="title"></p><img data-var-src="logo">'
  const page = composition(
    `<p data-var-text="title"></p>${host(1, inner, '', { title: 'one', logo: 'data:,' })}${host(2, inner, '', { title: 'two' })}
    <div data-composition-id="inline" data-vid-variables='{"title":"three"}'>${inner}<script>window.inline = __vid.getVariables()</script></div>`,
  )

  it('are those of the instance, frozen', async () => {
    const keep = (n: number) =>
      scoped(n, `globalThis.v${n} = __vid.getVariables(); globalThis.same${n} = window.__vid === __vid`)
    const { read } = await start(page.replace('</body>', `${keep(1)}${keep(2)}</body>`), {
      variables: { title: 'top' },
    })
    expect(await read('[v1, v2, inline, __vid.getVariables(), same1, Object.isFrozen(v2)]')).toEqual([
      { title: 'one', logo: 'data:,' },
      { title: 'two' },
      { title: 'three' },
      { title: 'top' },
      true,
      true,
    ])
  })

  it('are written where markup and styles ask for them', async () => {
    const { read } = await start(page, { variables: { title: 'top' } })
    expect(await read(`[...document.querySelectorAll('p')].map((each) => each.textContent)`)).toEqual([
      'top',
      'one',
      'two',
      'three',
    ])
    expect(await read(`[...document.querySelectorAll('img')].map((each) => each.getAttribute('src'))`)).toEqual([
      'data:,',
      null,
      null,
    ])
    expect(await read(`[root, h1, h2].map((each) => getComputedStyle(each).getPropertyValue('--title'))`)).toEqual([
      'top',
      'one',
      'two',
    ])
  })
})

describe('gsap of an embedded composition', () => {
  const both = (code: string) =>
    composition(`<b class="dot"></b>${host(1, card)}${host(2, card)}${scoped(1, code)}`, { gsap: true })
  const positions = ({ read }: OpenPage) =>
    read<number[]>(`[...document.querySelectorAll('.dot')].map((each) => gsap.getProperty(each, 'x'))`)

  it.each([
    [`gsap.set('.dot', { x: 5 })`],
    [`gsap.set(['.dot', document.body], { x: 5 })`],
    [`gsap.to('.dot', { x: 5, duration: 0.1 })`],
    [`__timelines.a = gsap.timeline({ paused: true }).to('.dot', { x: 5, duration: 0.1 })`],
    [
      `window.__timelines.a = gsap.timeline({ paused: true }).set('.dot', { x: 1 }).fromTo('#card .dot', { x: 0 }, { x: 5, duration: 0.1 })`,
    ],
    [`window.__timelines = {}; __timelines.a = gsap.timeline({ paused: true }).set('.dot', { x: 5 })`],
    [`gsap.set(gsap.utils.toArray('.dot'), { x: 5 })`],
    [`gsap.set(gsap.utils.toArray('.dot', '#card'), { x: 5 })`],
    [`gsap.set(gsap.utils.selector('.card')('.dot'), { x: 5 })`],
    [`gsap.set(gsap.utils.selector()('.dot'), { x: 5 })`],
    [`gsap.quickSetter('.dot', 'x', 'px')(5)`],
    [`gsap.context(() => { gsap.set('.dot', { x: 5 }); gsap.set('.card', { y: 9 }) }, '#card')`],
    [`gsap.set('.dot', { x: 4 }); gsap.set('.dot', { x: gsap.getProperty('.dot', 'x') + 1 })`],
    [
      `gsap.registerEffect({ name: 'push', effect: (targets, { by }) => gsap.set(targets, { x: by }) }); gsap.effects.push('.dot', { by: 5 })`,
    ],
    [`window.gsap = window.gsap; window.gsap.set('.dot', { x: 5 })`],
  ])('%s moves the instance alone', async (code) => {
    const page = await start(both(code))
    await page.seek(6)
    expect(await positions(page)).toEqual([0, 5, 0])
    expect(await page.read('__vidHost.errors()')).toEqual([])
    expect(await page.read(`gsap.getProperty('.card', 'y')`)).toBe(0)
    expect(await page.read(`gsap.set('.dot', { x: 7 }).targets().length`)).toBe(3)
  })

  it('finds inside the instance what settings of plugins select', async () => {
    const { resolve } = createRequire(import.meta.url)
    const plugin = (name: string) => readFileSync(resolve(`gsap/dist/${name}.min.js`), 'utf8')
    const art = (x: number) => `<p class="title">ab</p><svg><path id="path" d="M${x},0 L${x + 100},0"/></svg>${card}`
    const code = `gsap.registerPlugin(MotionPathPlugin, SplitText)
      const split = new SplitText('.title', { type: 'chars' })
      globalThis.chars = [...(globalThis.chars ?? []), split.chars.length, split.elements.length]
      __timelines.a = gsap.timeline({ paused: true })
        .to('.dot', { motionPath: { path: '#path' }, duration: 1, ease: 'none' })`
    const { seek, read } = await start(
      composition(
        `<script src="/motion.js"></script><script src="/split.js"></script>${host(1, art(0))}${host(2, art(50))}${scoped(1, code)}${scoped(2, code)}`,
        { gsap: true },
      ),
      { fps: 4 },
      { '/motion.js': plugin('MotionPathPlugin'), '/split.js': plugin('SplitText') },
    )
    await seek(2)
    expect(await read('chars')).toEqual([2, 1, 2, 1])
    expect(
      await read(`[...document.querySelectorAll('.dot')].map((each) => Math.round(gsap.getProperty(each, 'x')))`),
    ).toEqual([50, 100])
    expect(await read('__vidHost.errors()')).toEqual([])
  })

  it('is undefined, not an error, where the page has none', async () => {
    const { read } = await start(composition(`${host(1, card)}${scoped(1, 'globalThis.kind = typeof gsap')}`))
    expect(await read('kind')).toBe('undefined')
  })
})

describe('time of an embedded composition', () => {
  const readStates = (n: number, key = 'scene', length = 1) =>
    scoped(
      n,
      `const seen = globalThis.seen${n} = []; window.__timelines['${key}'] = { duration: () => ${length}, seek: (t) => seen.push(t) }`,
    )

  it('starts with its host, and keeps its last state', async () => {
    const { seek, read, probe } = await start(
      composition(`${host(1, card, 'data-start="1" data-duration="0.5"')}${host(2, card, 'data-start="0.5"')}
        ${host(3, card, 'data-start="1" data-duration="0"')}${host(4, card, 'data-start="99"')}
        ${readStates(1)}${readStates(2)}${readStates(3)}${readStates(4)}`),
      { fps: 2 },
    )
    for (const frame of [0, 1, 2, 3, 6]) await seek(frame)
    expect(await read('[seen1, seen2, seen3, seen4]')).toEqual([[0, 0.5, 0.5], [0, 0.5, 1, 1], [0, 0, 0], []])
    expect(probe).toMatchObject({ stateful: false, timelines: ['scene'] })
    expect(await read(`[h1, h2, h3].map((each) => getComputedStyle(each).visibility)`)).toEqual([
      'hidden',
      'visible',
      'hidden',
    ])
  })

  it('starts with a composition inside it that its key names', async () => {
    const inner = `<div data-composition-id="outer"><div data-composition-id="late" data-start="0.5"></div></div>`
    const { seek, read } = await start(
      composition(
        `<div data-composition-id="late"></div>${host(1, inner, 'data-start="1"')}${readStates(1, 'late', 9)}`,
      ),
      { fps: 2 },
    )
    for (const frame of [0, 2, 3, 4]) await seek(frame)
    expect(await read('seen1')).toEqual([0, 0.5])
  })

  it('is passed to its listeners, adapters and aliases', async () => {
    const { seek, read, probe } = await start(
      composition(
        `${host(1, card, 'data-start="1" data-duration="2"')}${scoped(
          1,
          `const seen = globalThis.seen = []
          const hear = ({ detail }) => seen.push(['event', detail.time, window.__hfThreeTime])
          window.addEventListener('vid-seek', hear); window.addEventListener('hf-seek', hear)
          window.removeEventListener('hf-seek', hear)
          __vid.registerAdapter({ name: 'a', seek: (t) => seen.push(['adapter', t]), duration: () => 1 })
          window.__hf = { duration: 9, seek: (t) => seen.push(['hf', t]) }`,
        )}`,
        { root: '' },
      ),
      { fps: 2 },
    )
    for (const frame of [1, 3, 7]) await seek(frame)
    expect(await read('seen')).toEqual([
      ['adapter', 0.5],
      ['hf', 0.5],
      ['event', 0.5, 0.5],
      ['adapter', 2],
      ['hf', 2],
      ['event', 2, 2],
    ])
    expect(probe.duration).toBe(3)
  })

  it('calls a nested timeline once a crossing, also after a direct seek', async () => {
    const html = composition(
      `${host(1, card, 'data-start="1"')}${scoped(
        1,
        `const log = globalThis.log = []
        __timelines.scene = gsap.timeline({ paused: true }).call(() => log.push('zero'), [], 0).call(() => log.push('one'), [], 1).to('.dot', { x: 9, duration: 2 })`,
      )}`,
      { gsap: true },
    )
    const { seek, read, probe } = await start(html, { fps: 4 })
    expect(probe).toMatchObject({ stateful: true, because: ['timeline callbacks'] })
    await seek(3)
    expect(await read('log')).toEqual([])
    await seek(12)
    expect(await read('log')).toEqual(['zero', 'one'])
  })

  it.each([
    ['the end of the last host', host(1, card, 'data-start="1" data-duration="2.5"'), 3.5],
    ['a timeline in a host', `${host(1, card, 'data-start="1"')}${readStates(1, 'scene', 3)}`, 4],
    [
      'a host that ends before its timeline',
      `${host(1, card, 'data-start="1" data-duration="2"')}${readStates(1, 'scene', 9)}`,
      3,
    ],
    [
      'a host that ends before one in it',
      host(1, host(2, card, 'data-start="1" data-duration="7"'), 'data-start="1" data-duration="2"'),
      3,
    ],
  ])('gives the length by %s', async (_name, body, expected) => {
    const { probe } = await start(composition(body, { root: '' }))
    expect(probe.duration).toBe(expected)
  })

  it('resolves a start that follows a host whose timeline has the length', async () => {
    const { seek, read } = await start(
      composition(
        `${host(1, card, 'data-start="1"')}${readStates(1, 'scene', 2)}<p id="after" data-start="h1 + 0.5" data-duration="1"></p>`,
      ),
      { fps: 2 },
    )
    const texts: string[] = []
    for (const frame of [6, 7, 8, 9]) {
      await seek(frame)
      texts.push(await read('getComputedStyle(after).visibility'))
    }
    expect(texts).toEqual(['hidden', 'visible', 'visible', 'hidden'])
  })

  it('resolves a start only against elements of the same composition', async () => {
    const { probe } = await start(
      composition(
        `<p id="outside" data-start="0" data-duration="1"></p>${host(1, '<p id="p" data-start="outside"></p>')}`,
      ),
    )
    expect(probe.errors.map(({ message }) => message)).toEqual([
      '<p id="p"> has data-start="outside", which names no element of its composition',
    ])
  })

  it('starts with the timed element around a composition that is not timed itself', async () => {
    const { seek, read } = await start(
      composition(`<div data-start="1"><div data-composition-id="in"><p id="p" data-start="0.5"></p></div></div>
        <script>window.seen = []; __timelines.in = { duration: () => 9, seek: (t) => seen.push(t) }</script>`),
      { fps: 2 },
    )
    const texts: string[] = []
    for (const frame of [0, 1, 2, 3]) {
      await seek(frame)
      texts.push(await read('getComputedStyle(p).visibility'))
    }
    expect(texts).toEqual(['hidden', 'hidden', 'hidden', 'visible'])
    expect(await read('seen')).toEqual([0, 0.5])
  })
})

it('separates elements that scripts of several instances create with one id', async () => {
  const draw = (n: number) =>
    scoped(
      n,
      `document.querySelector('#card').innerHTML = '<svg><defs><linearGradient id="grad"/></defs><rect id="one" fill="url(#grad)"/><use href="#one"/></svg>'
      addEventListener('vid-seek', () => document.querySelector('#grad').setAttribute('data-n', ${n}))`,
    )
  const style = (n: number) =>
    `<style>@media all { :where([data-vid-instance="i${n}"]) #one { opacity: 0.${n}; stroke: url("#grad") } }</style>`
  const { seek, read } = await start(
    composition(`${host(1, card)}${host(2, card)}${host(3, '<p id="grad"></p>')}${draw(1)}${draw(2)}`, {
      head: style(1) + style(2),
    }),
  )
  await seek(1)
  expect(
    await read(
      `[...document.querySelectorAll('rect')].map(getComputedStyle).map(({ opacity, stroke }) => [opacity, stroke])`,
    ),
  ).toEqual([
    ['0.1', 'url("#grad")'],
    ['0.2', 'url("#grad-i2")'],
  ])
  const all = (selector: string, what: string) => `[...document.querySelectorAll('${selector}')].map((each) => ${what})`
  expect(
    await read(
      `[${all('linearGradient', '[each.id, each.dataset.n]')}, ${all('rect', "each.getAttribute('fill')")}, ${all('use', "each.getAttribute('href')")}, ${all('p', 'each.id')}]`,
    ),
  ).toEqual([
    [
      ['grad', '1'],
      ['grad-i2', '2'],
    ],
    ['url(#grad)', 'url(#grad-i2)'],
    ['#one', '#one-i2'],
    ['grad'],
  ])
})

it('applies to module scripts too', async () => {
  const code = `const {document,window,__timelines,__vid}=globalThis.__vid.__scope("i1"); globalThis.found = document.querySelectorAll('.dot').length`
  const { read } = await start(composition(`<b class="dot"></b>${host(1, card)}<script type="module">${code}</script>`))
  expect(await read('found')).toBe(1)
})

it('refuses the scope of an instance that is not there', async () => {
  const { read } = await start(composition(`${host(1, card)}${scoped(7, 'globalThis.ran = true')}`))
  expect(await read('[typeof ran, __vidHost.errors().map((error) => error.message)]')).toEqual([
    'undefined',
    ['Uncaught Error: no element has data-vid-instance="i7"'],
  ])
})

it.each(['data-start="0"', ''])(
  'gives the authored root of an embedded file the box of its host when it has none (%s)',
  async (timed) => {
    const root =
      '<div id="r" data-composition-id="scene"><p style="position:absolute;bottom:0;height:10px;margin:0" id="p"></p></div>'
    const { read } = await start(
      composition(
        `<section style="width:100px;height:60px;position:relative" data-composition-id="around">${host(1, root, timed)}</section>`,
      ),
    )
    expect(await read('[r.offsetWidth, r.offsetHeight, p.getBoundingClientRect().bottom]')).toEqual([100, 60, 60])
  },
)
