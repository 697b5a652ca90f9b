// Put at the end of a page: logs each text that leaves the frame, is cut, runs over the box that it stands on or over
// another text, in the frames in which it stands still. Boxes are those of the ink, not of the lines.
{
  const root = document.querySelector('[data-composition-id]')
  const pen = document.createElement('canvas').getContext('2d')
  const SLACK = 2

  const isShown = (element) => {
    let opacity = 1
    for (let ancestor = element; ancestor; ancestor = ancestor.parentElement) {
      const { opacity: opacityText, visibility, display } = getComputedStyle(ancestor)
      opacity *= Number(opacityText)
      if (visibility !== 'visible' || display === 'none') return false
    }
    return opacity >= 0.4
  }
  const isBlock = (element) => !getComputedStyle(element).display.startsWith('inline')
  const blockOf = (element) => (isBlock(element) || element === root ? element : blockOf(element.parentElement))

  /** The ink of a text node, by line; its letters are measured with the font of the element. */
  const inkOf = (node, style) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    const text = style.textTransform === 'uppercase' ? node.data.toUpperCase() : node.data
    const ink = pen.measureText(text)
    const spacing = Number.parseFloat(style.letterSpacing) || 0
    const content = ink.fontBoundingBoxAscent + ink.fontBoundingBoxDescent
    return [...range.getClientRects()].map(({ left, right, top, height }) => {
      const scale = height / content
      const baseline = top + ink.fontBoundingBoxAscent * scale
      return {
        left,
        // The space after the last letter has no ink.
        right: right - spacing * scale,
        top: baseline - ink.actualBoundingBoxAscent * scale,
        bottom: baseline + ink.actualBoundingBoxDescent * scale,
      }
    })
  }
  const textsOf = () => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!node.data.trim() || !isShown(element) || /SCRIPT|STYLE/.test(element.tagName)) continue
      const boxes = inkOf(node, getComputedStyle(element)).filter((box) => !isHidden(element, box))
      if (boxes.length > 0) seen.add(element)
      else unseen.set(element, node.data.trim().slice(0, 24))
      for (const box of boxes)
        texts.push({ element, block: blockOf(element), text: node.data.trim().slice(0, 24), box })
    }
    return texts
  }
  /** Tight spacing moves the edge of a large letter by a part of its size. */
  const isOutside = (box, frame, slack) =>
    box.left < frame.left - slack ||
    box.right > frame.right + slack ||
    box.top < frame.top - slack ||
    box.bottom > frame.bottom + slack
  const hasGround = (style) => style.backgroundColor !== 'rgba(0, 0, 0, 0)' || style.backgroundImage !== 'none'
  /** Whether an ancestor hides all of it, as before a word comes up from below its line. */
  const isHidden = (element, box) => {
    for (let ancestor = element; ancestor && ancestor !== root; ancestor = ancestor.parentElement)
      if (getComputedStyle(ancestor).overflow !== 'visible' && !overlap(box, ancestor.getBoundingClientRect()))
        return true
    return false
  }
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK

  /** Why one text is laid out badly; undefined when it is not. */
  const problemOf = ({ element, box }) => {
    const slack = SLACK + 0.025 * Number.parseFloat(getComputedStyle(element).fontSize)
    if (isOutside(box, root.getBoundingClientRect(), slack)) return 'leaves the frame'
    for (let ancestor = element; ancestor && ancestor !== root; ancestor = ancestor.parentElement) {
      const style = getComputedStyle(ancestor)
      const frame = ancestor.getBoundingClientRect()
      if (style.overflow !== 'visible' && isOutside(box, frame, slack))
        return `is cut by .${ancestor.className || ancestor.tagName}`
      if (hasGround(style) && isOutside(box, frame, slack)) return `leaves .${ancestor.className || ancestor.tagName}`
    }
  }
  const keyOf = ({ text, box }) => `${text} ${Object.values(box).map((side) => side.toFixed(1))}`
  const reported = new Set()
  const report = (problem, time) => {
    if (reported.has(problem) || reported.size > 40) return
    reported.add(problem)
    console.log(`layout: ${problem}, first at ${time.toFixed(1)} s`)
  }
  let before = new Set()
  const unseen = new Map()
  const seen = new Set()
  const last = Number(root.dataset.duration) - 0.21
  addEventListener('vid-seek', ({ detail: { time } }) =>
    requestAnimationFrame(() => {
      const texts = textsOf()
      const still = texts.filter((text) => before.has(keyOf(text)))
      before = new Set(texts.map(keyOf))
      for (const text of still) {
        const problem = problemOf(text)
        if (problem) report(`"${text.text}" ${problem}`, time)
      }
      if (time >= last)
        for (const [element, text] of unseen) if (!seen.has(element)) report(`"${text}" is never seen`, time)
      still.forEach((one, n) => {
        for (const other of still.slice(n + 1))
          if (one.block !== other.block && overlap(one.box, other.box))
            report(`"${one.text}" runs over "${other.text}"`, time)
      })
    }),
  )
}
