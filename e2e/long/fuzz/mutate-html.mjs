// Changes the text of a composition as tired authors, generators and attackers do.

const NUMBERS = [
  '',
  '0',
  '-1',
  '-0',
  '1e308',
  '-1e308',
  '1e-300',
  'NaN',
  'Infinity',
  '0.0000001',
  '1e7',
  '99999999999999999999',
  '0x10',
  '١٢',
  '1,5',
  '1e',
  ' 3 ',
  '3s',
  '100%',
  'null',
]
const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\u202e\u2066',
  'é'.normalize('NFD'),
  '👩‍👩‍👧‍👦',
  '\ud800',
  '"',
  "'",
  '<',
  '&#x110000;',
  '{x}',
  '{{x}}',
  '%00',
  '%',
  '..',
  '../',
  '../../secret.mp4',
  '/etc/passwd',
  '.env',
  'C:\\x',
  '\\\\x\\y',
  '#',
  '?',
  'javascript:alert(1)',
  'data:',
  'data:text/html,<b>',
  'blob:x',
  'about:blank',
  'file:///etc/passwd',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
]
const JSONS = [
  '',
  '{',
  '[',
  '[]',
  '{}',
  'null',
  '0',
  '"x"',
  '[null]',
  '[[]]',
  '[{}]',
  '[{"id":1}]',
  '[{"id":"__proto__","type":"string","default":"x"}]',
  '[{"id":"a","type":"number","default":"x","min":9,"max":1}]',
  '[{"id":"a","type":"enum","options":[]}]',
  '[{"id":"a","type":"string","default":{}}]',
  '[{"id":"a","type":"color","default":"red;}"}]',
  `${'['.repeat(3000)}`,
  `[${'{"id":"a","type":"string"},'.repeat(300)}{}]`,
]
const TIMES = ['0', '0.5', '-3', '1e9', 'a', 'root', 'x + 1', 'x - 1e9', '{}', 'Infinity', ' ', 'x+x+x']
const ATTRIBUTES = {
  'data-start': TIMES,
  'data-duration': NUMBERS,
  'data-media-start': NUMBERS,
  'data-playback-rate': NUMBERS,
  'data-volume': NUMBERS,
  'data-width': NUMBERS,
  'data-height': NUMBERS,
  'data-track-index': NUMBERS,
  'data-layer': NUMBERS,
  'data-loop': TEXTS,
  'data-composition-id': TEXTS,
  'data-composition-src': [...TEXTS, 'index.html', './index.html', '//x.localhost/a.html'],
  'data-composition-variables': JSONS,
  'data-variable-values': JSONS,
  'data-var-text': TEXTS,
  'data-var-src': TEXTS,
  'data-no-timeline': TEXTS,
  src: TEXTS,
  href: TEXTS,
  style: [
    'width:1e9px',
    'transform:scale(1e9)',
    'filter:blur(1e5px)',
    'background:url(',
    'content:"',
    '--a:var(--a)',
    'inset:calc(1px/0)',
    'font-size:0',
    'display:contents',
    'zoom:1e9',
    'columns:100000',
    'animation:x 0s infinite',
  ],
  class: ['clip', 'clip '.repeat(2000), ''],
  id: TEXTS,
}
const STYLES = [
  '*{}',
  '*{animation:a 1ms infinite}@keyframes a{from{opacity:0}}',
  '@import "x.css";',
  '@import url(//x.localhost/a.css);',
  '@font-face{font-family:a;src:url(../../secret.mp4)}body{font-family:a}',
  '*{transition:all 9e9s}',
  ':root{--x:}',
  '@media(',
  '}}}}',
  '/*',
  'body{display:none!important}',
  'html{zoom:0}',
  '#root{position:fixed;inset:-1e9px}',
  '@layer a,b;@layer{',
  '*::before{content:counter(a)}',
  'body:has(*:has(*)){color:red}',
  '*{content-visibility:auto;contain:strict}',
  '@property --a{syntax:"<length>";inherits:false;initial-value:0px}',
]
const SCRIPTS = [
  'throw 1',
  'throw null',
  'throw new Error("\\u0000")',
  'Promise.reject()',
  'x',
  '{',
  'document.write("<b>")',
  'document.documentElement.remove()',
  'document.body.innerHTML = ""',
  'window.__timelines = 0',
  'window.__timelines = { a: null }',
  '__timelines = { get a() { throw 1 } }',
  '__timelines = { a: { duration: () => NaN, seek() {} } }',
  '__timelines = { a: { duration: () => 1e9, seek() { throw 2 } } }',
  'delete window.__vid',
  'window.__vid = 1',
  'Object.freeze(window)',
  'Object.prototype.x = 1',
  'Array.prototype.map = () => { throw 3 }',
  'JSON.stringify = () => "x"',
  'Promise = undefined',
  'performance.now = 0',
  'requestAnimationFrame = null',
  'setInterval(() => {}, 0)',
  'requestAnimationFrame(function f() { requestAnimationFrame(f) })',
  'addEventListener("vid-seek", () => { throw 4 })',
  'addEventListener("vid-seek", (e) => e.stopImmediatePropagation())',
  '__vid.waitUntil(Promise.reject(5))',
  '__vid.waitUntil(7)',
  'console.log("a".repeat(1e6))',
  'for (let i = 0; i < 3000; i++) console.warn(i)',
  'alert(1)',
  'print()',
  'close()',
  'stop()',
  'history.back()',
  'location.hash = "a"',
  'location.reload()',
  'location = "about:blank"',
  'open("about:blank")',
  'debugger',
  'new Worker("data:,0")',
  'new Worker("missing.js")',
  'navigator.serviceWorker.register("a.js")',
  'fetch("../../secret.mp4").then(console.log)',
  'fetch("/.env")',
  'new Image().src = "//x.localhost/"',
  'document.fonts.add(new FontFace("a", "url(b)"))',
  'document.createElement("canvas").getContext("webgl2")',
  'new OffscreenCanvas(1e5, 1e5).getContext("2d")',
  'document.body.append(...Array.from({ length: 5000 }, () => document.createElement("div")))',
  'history.replaceState(0, "", "/x")',
  'document.domain = "localhost"',
  'customElements.define("a-b", class extends HTMLElement { connectedCallback() { throw 6 } })',
  'document.open()',
  'new MutationObserver(() => document.body.append("x")).observe(document.body, { childList: true })',
  'new Array(1e9).fill(0)',
]
const TAGS = [
  '<template>',
  '</template>',
  '<base href="/x/">',
  '<base href="file:///">',
  '<meta http-equiv="refresh" content="0;url=about:blank">',
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">',
  '<meta charset="utf-16">',
  '<iframe src="index.html"></iframe>',
  '<iframe srcdoc="<script>parent.x=1</script>"></iframe>',
  '<object data="index.html">',
  '<frameset>',
  '<plaintext>',
  '<noscript>',
  '<svg><foreignObject>',
  '<math><mtext><table>',
  '<select><option>',
  '<textarea>',
  '<title>',
  '<!--',
  '<![CDATA[',
  '<?xml ?>',
  '<video src="missing.mp4" data-start="0" data-duration="9">',
  '<audio src="missing.mp3" data-start="0">',
  '<video autoplay src="x">',
  '<img src="../../secret.mp4">',
  '<link rel="stylesheet" href="missing.css">',
  '<script src="missing.js"></script>',
  '<script type="module">import "x"</script>',
  '<script type="importmap">{</script>',
  '<div class="clip" data-start="1e9">',
  '<div data-composition-id="again" data-width="9" data-height="9">',
  '<div data-composition-src="index.html" data-start="0">',
  '<div data-composition-src="a b#c?d">',
  '<canvas width="100000" height="100000">',
  '<input autofocus>',
  '<dialog open>',
  '<details>',
  '<marquee>x</marquee>',
  '<style>',
  '<script>',
]

const splice = (text, from, to, put) => text.slice(0, from) + put + text.slice(to)

/** Puts a text in the place of one match of a pattern, or at a random place without a match. */
const replaceOne = (text, pattern, random, put) => {
  const matches = [...text.matchAll(pattern)]
  if (matches.length === 0) return splice(text, ...Array(2).fill(random.below(text.length)), put)
  const { index, 0: match } = random.pick(matches)
  return splice(text, index, index + match.length, put)
}

const quoted = (value) => (value.includes('"') ? `'${value.replaceAll("'", '')}'` : `"${value}"`)
const attribute = (random) => {
  const name = random.pick(Object.keys(ATTRIBUTES))
  return `${name}=${quoted(random.pick(ATTRIBUTES[name]))}`
}

const value = (text, random) => {
  const present = Object.keys(ATTRIBUTES).filter((name) => text.includes(`${name}="`))
  if (present.length === 0) return add(text, random)
  const name = random.pick(present)
  const put = `${name}=${quoted(random.pick(ATTRIBUTES[name]))}`
  return replaceOne(text, new RegExp(`\\b${name}="[^"]*"`, 'g'), random, put)
}
const add = (text, random) => {
  const tags = [...text.matchAll(/<[a-z][a-z0-9]*(?=[\s>])/g)]
  if (tags.length === 0) return `${text}<div ${attribute(random)}>`
  const { index, 0: tag } = random.pick(tags)
  return splice(text, index + tag.length, index + tag.length, ` ${attribute(random)}`)
}
const number = (text, random) => replaceOne(text, /\b\d+(\.\d+)?\b/g, random, random.pick(NUMBERS))
const dropTag = (text, random) => replaceOne(text, /<\/?[a-z][^>]*>/g, random, '')
const cutTag = (text, random) => replaceOne(text, />/g, random, '')
const tag = (text, random) => replaceOne(text, /(?=<\/?(div|body|script))/g, random, random.pick(TAGS))
const nest = (text, random) =>
  replaceOne(
    text,
    /(?=<\/body)/g,
    random,
    `<${random.pick(['div', 'svg', 'table', 'b', 'template', 'div class="clip" data-start="0"'])}>`.repeat(
      10 ** (1 + random.below(3)),
    ),
  )
const script = (text, random) =>
  replaceOne(text, /(?=<\/(head|body))/g, random, `<script>${random.pick(SCRIPTS)}</script>`)
const style = (text, random) => replaceOne(text, /(?=<\/(head|body))/g, random, `<style>${random.pick(STYLES)}</style>`)
const cut = (text, random) => text.slice(0, random.below(text.length))
const remove = (text, random) => {
  const from = random.below(text.length)
  return splice(text, from, from + random.below(200), '')
}
const repeat = (text, random) => {
  const from = random.below(text.length)
  return splice(text, from, from, text.slice(from, from + 1 + random.below(300)).repeat(1 + random.below(20)))
}
const character = (text, random) => {
  const offset = random.below(text.length)
  return splice(text, offset, offset + 1, random.pick(TEXTS).slice(0, 40))
}

const KINDS = {
  value,
  add,
  number,
  dropTag,
  cutTag,
  tag,
  nest,
  script,
  style,
  cut,
  remove,
  repeat,
  character,
}
/** What keeps most of a composition alive is done more often. */
const OFTEN = ['value', 'value', 'value', 'add', 'add', 'script', 'style', 'tag', ...Object.keys(KINDS)]

/** A changed copy of a text, with the names of what was done to it. */
export const mutateHtml = (text, random) => {
  const done = []
  let changed = text
  for (let count = 1 + random.below(4); count > 0 && changed.length > 0; count--) {
    const kind = random.pick(OFTEN)
    changed = KINDS[kind](changed, random)
    done.push(kind)
  }
  return { text: changed, done }
}
