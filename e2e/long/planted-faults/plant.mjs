// A fault in a copy of a composition: generated content that its turn hides, and that the raster lane draws all the same.

/** The ways in which it comes and goes: `css` is the rule of the fault, `set` is run in each frame. */
const RULE = (selector) =>
  `${selector}::before { content: ""; position: absolute; inset: 0; background: blue; transform: rotateY(180deg); backface-visibility: hidden }`

/** Something that the page can be seen to change: its rules, its elements, what rules match, its clips. */
export const OBSERVED = {
  rule: {
    set: `const { sheet } = style; if (isOn !== (sheet.cssRules.length > 0)) { if (isOn) sheet.insertRule(${JSON.stringify(RULE('#vid-planted'))}); else sheet.deleteRule(0) }`,
  },
  text: {
    set: `if (isOn !== (style.textContent !== '')) style.textContent = isOn ? ${JSON.stringify(RULE('#vid-planted'))} : ''`,
  },
  class: { css: RULE('#vid-planted.on'), set: `box.classList.toggle('on', isOn)` },
  attribute: { css: RULE('#vid-planted[data-on]'), set: `box.toggleAttribute('data-on', isOn)` },
  root: {
    css: RULE('html[data-planted] #vid-planted'),
    set: `document.documentElement.toggleAttribute('data-planted', isOn)`,
  },
  element: {
    css: RULE('#vid-planted'),
    set: `if (isOn !== box.isConnected) { if (isOn) root.append(box); else box.remove() }`,
  },
  variable: {
    css: RULE('#vid-planted')
      .replace('rotateY(180deg)', 'var(--planted, none)')
      .replace('blue', 'var(--paint, transparent)'),
    set: `box.style.setProperty('--planted', isOn ? 'rotateY(180deg)' : 'none'); box.style.setProperty('--paint', isOn ? 'blue' : 'transparent')`,
  },
  container: {
    css: `#vid-planted { container-type: inline-size } @container (width > 101px) { ${RULE('#vid-planted b')} }`,
    set: `box.style.width = isOn ? '102px' : '100px'`,
  },
}

/** Nothing but the picture changes: a part of the content becomes visible that was turned all the time. */
export const UNOBSERVED = {
  place: { css: RULE('#vid-planted'), set: `box.style.marginLeft = isOn ? '0' : '-5000px'` },
  colour: {
    css: RULE('#vid-planted').replace('blue', 'var(--paint, transparent)'),
    set: `box.style.setProperty('--paint', isOn ? 'blue' : 'transparent')`,
  },
}

const WAYS = { ...OBSERVED, ...UNOBSERVED }

/** Plants a fault into the text of a composition, in the frames `first` to `end - 1` at 30 frames a second. */
export const plantFault = (html, { way, first, end, left, top }) => {
  const { css = '', set } = WAYS[way]
  const script = `<script>(() => {
    const root = document.querySelector('[data-composition-id]')
    // A part that is embedded elsewhere has its root in a template, and is no page.
    if (!root) return
    const style = document.head.appendChild(document.createElement('style'))
    style.textContent = ${JSON.stringify(css)}
    const box = document.createElement('div')
    box.id = 'vid-planted'
    box.style.cssText = 'position:absolute;left:${left}%;top:${top}%;width:100px;height:80px;z-index:2147483647'
    box.append(Object.assign(document.createElement('b'), { style: 'position:absolute;inset:0' }))
    root.append(box)
    const show = (time) => {
      const frame = Math.round(time * 30)
      const isOn = frame >= ${first} && frame < ${end}
      ${set}
    }
    show(0)
    addEventListener('vid-seek', ({ detail }) => show(detail.time))
  })()</script>`
  const at = html.lastIndexOf('</body>')
  return at < 0 ? html + script : html.slice(0, at) + script + html.slice(at)
}
