import { expect, test } from 'vitest'
import { brief, lint, root } from '../fixtures/project.ts'

const codes = async (code: string, body = '<p id="box" class="card tall">x</p>') =>
  brief(await lint({ 'index.html': root(`${body}<script>\n${code}\n</script>`) })).filter((line) =>
    /unregistered-timeline|unmatched-selector/.test(line),
  )
const paused = 'const tl = gsap.timeline({ paused: true })'

test.each([
  `${paused}; tl.to("#box", { x: 1 }).to("#box", { y: 1 })`,
  'const tl = gsap.timeline({ defaults: { ease: "none" }, paused: true }).to("#box", { x: 1 })',
  `function build() { ${paused}\ntl.from("#box", { x: 1 }, 0) }\nbuild()`,
  `${paused}; window.__timeline = { film: tl }`,
  `${paused}; globalThis._timelines.film = tl.to("#box", { x: 1 })`,
])('a paused timeline that is only built is reported: %s', async (code) => {
  expect(await codes(code)).toEqual(['index.html:3 unregistered-timeline'])
})

test.each([
  `${paused}; __timelines.main = tl`,
  `${paused}; window.__timelines = { main: tl.to("#box", { x: 1 }) }`,
  `${paused}; tl.play()`,
  `${paused}; window.__timeline = tl; addEventListener("vid-seek", (e) => __timeline.seek(e.detail.time))`,
  `${paused}; window.__timeline = tl; addEventListener("vid-seek", (e) => window.__timeline.seek(e.detail.time))`,
  `${paused}; window.film = tl`,
  `${paused}; tl.to("#box", { x: 1 }).resume()`,
  `${paused}; addEventListener("vid-seek", (e) => tl.seek(e.detail.time))`,
  `${paused}; gsap.timeline().add(tl)`,
  `${paused}; register(tl)`,
  `${paused}; const all = [tl]`,
  `${paused}; const shown = { tl }`,
  `function make() { ${paused}; return tl }`,
  `${paused}; const other = tl.to("#box", { x: 1 }); __timelines.main = other`,
  `${paused}; tl["play"]()`,
  'const tl = gsap.timeline(); tl.to("#box", { x: 1 })',
  'gsap.timeline({ paused: true })',
])('a timeline that may run is not reported: %s', async (code) => {
  expect(await codes(code)).toEqual([])
})

test('a timeline that another script uses is not reported', async () => {
  const content = `<script>${paused}</script><script>__timelines.main = tl</script>`
  expect(await lint({ 'index.html': root(content) })).toEqual([])
})

test.each([
  'gsap.to("#bx", { x: 1 })',
  'gsap.timeline().from(".crad", { x: 1 })',
  'var tl = gsap.timeline(); tl.add("x").fromTo("#none .card, h6", {}, { x: 1 })',
])('a selector that nothing matches is reported: %s', async (code) => {
  expect(await codes(code)).toEqual(['index.html:3 unmatched-selector'])
})

test.each([
  ['an element', 'gsap.to("#box.card > *, .gone", { x: 1 }); gsap.to(".CARD", { x: 1 })'],
  ['one of several', 'gsap.to(".gone, #box", { x: 1 })'],
  ['what a text cannot tell', 'gsap.to("[data-x], :not(.gone)", { x: 1 }); gsap.to(`#gone`, { x: 1 })'],
  ['an object', 'gsap.to({ x: 0 }, { x: 1 }); cache.set("#gone", 1); other.to("#gone", {})'],
  ['an element that a script adds', 'document.body.innerHTML += "<i id=new>"; gsap.to("#new", { x: 1 })'],
  ['a class that a script sets', 'box.classList.add("on"); gsap.to(".on", { x: 1 })'],
])('a selector of %s is not reported', async (_, code) => {
  expect(await codes(code)).toEqual([])
})

test('nothing is reported where an unread script may add elements, and elements of embedded files count', async () => {
  const tween = '<script>gsap.to("#inside", { x: 1 })</script>'
  const library = '<script src="https://unpkg.com/splitting@1/dist/splitting.min.js"></script>'
  expect(await lint({ 'index.html': root(`${library}${tween}`) })).toEqual([])
  const module = '<script type="module">import "https://example.com/x.js"</script>'
  expect(await lint({ 'index.html': root(`${module}${tween}`) })).toEqual([])
  const embed = '<div data-composition-src="a.html" data-start="0"></div>'
  const nested = { 'a.html': '<template><p id="inside">x</p></template>' }
  expect(await lint({ 'index.html': root(`${embed}${tween}`), ...nested })).toEqual([])
  const gsap = '<script src="https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js"></script>'
  expect(brief(await lint({ 'index.html': root(`${gsap}${tween}`) }))).toEqual(['index.html:2 unmatched-selector'])
})
