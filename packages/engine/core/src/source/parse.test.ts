import { describe, expect, it } from 'vitest'
import { coreErrors, extractCompositionMetadata, parseComposition } from '../index.ts'

const root = (attributes: string, inner = '') =>
  `<!doctype html>\n<html><body>\n<div id="stage" ${attributes}>${inner}</div>\n</body></html>`
const sized = 'data-composition-id="main" data-width="1920" data-height="1080"'
const parse = (html: string) => parseComposition(html, { file: 'index.html' })
const thrownBy = (html: string) => {
  try {
    parse(html)
  } catch (error) {
    return error as Error & { code: string; hint: string }
  }
  throw new Error('nothing was thrown')
}

describe('the root of a composition', () => {
  it('is the first element with a composition id', () => {
    const html = root(`${sized} data-duration="2.5"`, '<div data-composition-id="inner"></div>')
    expect(parse(html)).toMatchObject({ id: 'main', width: 1920, height: 1080, duration: 2.5 })
  })

  it('is the element marked as root, even when another composition comes first', () => {
    const html = `<div data-composition-id="other"></div><div data-root="true" id="stage" data-width="64" data-height="32"></div>`
    expect(parse(html)).toMatchObject({ id: 'stage', width: 64, height: 32 })
  })

  it.each(['html', 'body'])('may be <%s>', (tag) => {
    const html = tag === 'html' ? `<html ${sized}><body></body></html>` : `<html><body ${sized}></body></html>`
    expect(parse(html)).toMatchObject({
      id: 'main',
      root: { element: `<${tag} data-composition-id="main">` },
    })
  })

  it('is required: without it there is a coded error that names the file', () => {
    const error = thrownBy('<p>hello</p>')
    expect(error).toMatchObject({ code: 'VID_COMPOSITION_NO_ROOT' })
    expect(error.message).toContain('index.html')
    for (const word of ['data-composition-id', 'data-width', 'data-height', 'data-duration', 'pixels', 'seconds'])
      expect(error.hint).toContain(word)
  })

  it('must be an element that browsers draw', () => {
    const error = thrownBy(`<head><meta ${sized}></head><div></div>`)
    expect(error).toMatchObject({ code: 'VID_COMPOSITION_ROOT_UNSEEN' })
    expect(error.message).toContain('<meta data-composition-id="main"> (index.html:1)')
  })

  const inner = `<div id="stage" ${sized.replace('main', 'inner')}></div>`
  it.each([
    ['<html> names the composition', `<html data-composition-id="main"><body>${inner}</body></html>`],
    ['<body> names the composition', `<body data-composition-id="main">${inner}</body>`],
    ['the name is beside it', `<html data-composition-id="main"><body>${inner}<p data-composition-id="a"></p>`],
    [
      '<html> names it, and it has no name',
      `<html data-composition-id="main"><body>${inner.replace('data-composition-id="inner"', '')}`,
    ],
    ['a canvas before it is named', `<canvas data-composition-id="main" width="8"></canvas>${inner}`],
    ['an <img> and a <video> are named', `<img ${sized}><video ${sized}></video>${inner}`],
    ['a <meta> is named', `<head><meta ${sized}></head>${inner}`],
  ])('is the element that holds clips and has a size, where %s', (_title, html) => {
    expect(parse(html).root.element).toBe('<div id="stage">')
  })

  it('is the canvas where nothing else is named', () => {
    expect(parse(`<canvas ${sized}></canvas>`).root.element).toBe('<canvas data-composition-id="main">')
  })

  it('is never guessed among several: the error names the element that has no size', () => {
    const error = thrownBy(`<html data-composition-id="main"><body>${inner}${inner}</body></html>`)
    expect(error).toMatchObject({ code: 'VID_COMPOSITION_NO_SIZE', facts: { element: expect.any(String) } })
    expect(error.message).toContain('<html data-composition-id="main">')
  })

  it.each([
    ['<html>', `<html data-composition-id="main"><body><template>${inner}</template></body></html>`],
    ['<body>', `<body data-composition-id="main"><template>${inner}</template></body>`],
    ['the template', `<template data-composition-id="main">${inner}</template>`],
  ])('inside a <template> is found where %s has the name too', (_title, html) => {
    expect(parse(html).root.element).toBe('<div id="stage">')
  })

  it('is the template itself where it alone is named', () => {
    const html = `<template ${sized} data-duration="3"><p>x</p></template>`
    expect(parse(html)).toMatchObject({ id: 'main', width: 1920, duration: 3 })
  })

  it('inside a <template> is found when there is none outside, with its line', () => {
    expect(parse(`<template>\n<div ${sized} data-duration="2"></div></template>`)).toMatchObject({
      id: 'main',
      duration: 2,
      root: { line: 2 },
    })
    expect(parse(`<template><p data-composition-id="no"></p></template><div ${sized}></div>`).id).toBe('main')
    expect(thrownBy('<template><p>x</p></template>')).toMatchObject({ code: 'VID_COMPOSITION_NO_ROOT' })
  })
})

describe('the size of a composition', () => {
  it.each(['', 'data-width="0"', 'data-width="1920px"', 'data-width="12.5"', 'data-width="99999"'])(
    'written as [%s] is a coded error naming element, line and value',
    (width) => {
      const error = thrownBy(root(`data-composition-id="main" data-height="1080" ${width}`))
      expect(error).toMatchObject({
        code: 'VID_COMPOSITION_NO_SIZE',
        facts: { line: 3, attribute: 'data-width' },
      })
      expect(error.message).toContain('<div id="stage"> (index.html:3)')
      expect(error.message).toContain(/"(.*)"/.exec(width)?.[1] ?? 'nothing')
    },
  )
})

describe('the duration of a composition', () => {
  it('is unknown when it is not written', () => {
    expect(parse(root(sized)).duration).toBeNull()
  })

  it.each(['0', '-3', 'NaN', 'Infinity', '1e999', '10s', ''])('written as "%s" is a coded error', (value) => {
    const error = thrownBy(root(`${sized} data-duration="${value}"`))
    expect(error).toMatchObject({ code: 'VID_COMPOSITION_BAD_DURATION' })
    expect(error.message).toContain(`"${value}"`)
  })
})

describe('the timed elements of a composition', () => {
  it('are grouped by the composition that they belong to', () => {
    const { scopes } = parse(
      root(
        sized,
        `<p id="a" data-start="1" data-duration="2"></p>
         <div data-composition-id="inner" data-start="a"><p id="b" data-start="0"></p></div>
         <section><p id="c" data-start="0"></p></section>`,
      ),
    )
    expect(scopes.map(({ id, clips }) => [id, clips.map(({ names }) => names[0])])).toEqual([
      ['main', ['a', 'inner', 'c']],
      ['inner', ['b']],
    ])
  })

  it('may use the older attributes', () => {
    const html = root(
      sized,
      '<video src="a.mp4" data-start="1" data-end="4" data-layer="3" data-playback-start="0.5"></video>',
    )
    expect(parse(html).scopes[0]?.clips[0]).toMatchObject({
      end: 4,
      track: 3,
      mediaStart: 0.5,
      duration: null,
    })
  })
})

describe('metadata', () => {
  it('has the declarations of <html>, or of the root of a fragment', () => {
    const json = `[{"id":"title","type":"string","label":"Title","default":"Hi"}]`
    const onHtml = `<html data-composition-variables='${json}'><body><div ${sized}></div></body></html>`
    const onFragment = `<template><div ${sized} data-duration="3" data-composition-variables='${json}'></div></template>`
    for (const html of [onHtml, onFragment])
      expect(extractCompositionMetadata(html)).toMatchObject({
        id: 'main',
        width: 1920,
        height: 1080,
        variables: [{ id: 'title', type: 'string', label: 'Title', default: 'Hi' }],
      })
    expect(extractCompositionMetadata(onFragment).duration).toBe(3)
  })

  it('is empty for a text without a composition', () => {
    const empty = { id: null, width: null, height: null, duration: null, variables: [] }
    expect(extractCompositionMetadata('nothing here')).toEqual(empty)
  })
})

it('every code of the table is a VID_ code', () => {
  expect(Object.keys(coreErrors).filter((code) => !/^VID_[A-Z_]+$/.test(code))).toEqual([])
})

describe('the length of attributes', () => {
  it.each([
    ['data-duration', '1'.repeat(101), 100],
    ['data-start', `intro${' '.repeat(1000)}`, 1000],
    ['data-composition-src', 'a'.repeat(10_001), 10_000],
    ['data-variable-values', `{${' '.repeat(2 ** 19)}}`, 2 ** 19],
  ])('is limited for %s', (attribute, value, max) => {
    const error = thrownBy(root(`${sized} data-duration="2"`, `\n<template><p ${attribute}='${value}'></p></template>`))
    expect(error).toMatchObject({ code: 'VID_HTML_ATTRIBUTE_LONG', fault: 'render' })
    expect(error.message).toBe(`The <p> in line 4 has ${value.length} characters in ${attribute}; the limit is ${max}.`)
  })

  it('is not limited for what a page brings of its own', () => {
    const data = `data:image/png;base64,${'A'.repeat(100_000)}`
    const html = root(`${sized} data-duration="2"`, `<img src="${data}" data-points="${data}" style="${data}">`)
    expect(parse(html)).toMatchObject({ duration: 2 })
  })

  it('is short in messages', () => {
    const html = `<div id="${'a'.repeat(100_000)}" data-composition-id="main" data-height="1"></div>`
    const error = thrownBy(html)
    expect(error).toMatchObject({ code: 'VID_COMPOSITION_NO_SIZE' })
    expect(error.message.length).toBeLessThan(500)
  })
})
