// A page of random boxes, text and drawings with random styles and motions, the same for the same seed.

/** Random numbers from 0 to 1 (mulberry32). */
const createRandom = (seed) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}

const createDice = (seed) => {
  const random = createRandom(seed)
  const number = (low, high, digits = 0) => Number((low + random() * (high - low)).toFixed(digits))
  return {
    number,
    chance: (share) => random() < share,
    pick: (list) => list[Math.floor(random() * list.length)],
    colour: () => `hsl(${number(0, 360)} ${number(40, 100)}% ${number(30, 80)}%)`,
  }
}

const WORDS = ['film', 'frame', 'moving', 'letters', 'a longer phrase', 'Ä ö ß', '42 %', 'fi fl']

const gradient = ({ pick, number, colour }) =>
  pick([
    () => `linear-gradient(${number(0, 360)}deg, ${colour()}, ${colour()})`,
    () => `radial-gradient(${colour()}, ${colour()} ${number(40, 90)}%)`,
    () => `conic-gradient(from ${number(0, 360)}deg, ${colour()}, ${colour()}, ${colour()})`,
    () => `repeating-linear-gradient(45deg, ${colour()} 0 ${number(4, 12)}px, ${colour()} 0 ${number(14, 24)}px)`,
  ])()

const transform = ({ pick, number }) =>
  pick([
    () => `translate(${number(-60, 60, 2)}px, ${number(-40, 40, 2)}px)`,
    () => `rotate(${number(-90, 90, 1)}deg)`,
    () => `scale(${number(0.4, 1.6, 2)})`,
    () => `skewX(${number(-25, 25)}deg)`,
    () => `translate(${number(-60, 60, 1)}px, 4.5px) rotate(${number(-40, 40)}deg) scale(${number(0.6, 1.4, 2)})`,
  ])()

const styles = [
  (dice) => `border-radius: ${dice.pick(['6px', '50%', '20px 4px', '12.5px'])}`,
  ({ number, pick, colour }) => `border: ${number(1, 6, 1)}px ${pick(['solid', 'dashed', 'double'])} ${colour()}`,
  ({ number }) => `box-shadow: ${number(-6, 6)}px ${number(0, 12)}px ${number(0, 30)}px #0008`,
  ({ number }) => `opacity: ${number(0.2, 1, 2)}`,
  ({ number, pick }) =>
    `filter: ${pick([`blur(${number(1, 6, 1)}px)`, `hue-rotate(${number(0, 360)}deg)`, 'drop-shadow(4px 6px 5px #000a)', 'grayscale(0.7)'])}`,
  ({ pick }) => `mix-blend-mode: ${pick(['multiply', 'screen', 'overlay', 'difference'])}`,
  ({ number }) => `clip-path: ${`circle(${number(30, 60)}% at 50% 50%)`}`,
  ({ number }) => `clip-path: inset(${number(0, 20)}% ${number(0, 20)}% round 9px)`,
  () => 'mask-image: linear-gradient(90deg, #000, transparent)',
  () => 'overflow: hidden',
  (dice) => `transform: ${transform(dice)}`,
  ({ pick }) => `transform-origin: ${pick(['0 0', '100% 50%', '12px 7px'])}`,
  ({ pick }) => `will-change: ${pick(['transform', 'opacity', 'filter'])}`,
  ({ number }) => `letter-spacing: ${number(-1, 5, 1)}px`,
  () => 'text-shadow: 2px 3px 4px #0009',
  ({ number }) => `outline: ${number(1, 4)}px dotted #fff`,
  ({ pick }) => `isolation: ${pick(['isolate', 'auto'])}`,
  ({ number }) => `rotate: ${number(-30, 30)}deg`,
  ({ number }) => `z-index: ${number(-1, 3)}`,
  () => '-webkit-box-reflect: below 4px',
]

const motions = [
  (dice) => `transform: ${transform(dice)}`,
  (dice) => `transform: ${transform(dice)}; opacity: ${dice.number(0, 1, 1)}`,
  ({ number }) => `opacity: ${number(0, 1, 1)}`,
  ({ number }) => `left: ${number(0, 300, 1)}px; top: ${number(0, 180, 1)}px`,
  ({ number }) => `width: ${number(20, 260, 1)}px`,
  ({ colour }) => `background-color: ${colour()}`,
  ({ number }) => `border-radius: ${number(0, 60)}px`,
  ({ number }) => `filter: blur(${number(0, 8)}px)`,
  ({ number }) => `clip-path: inset(0 ${number(10, 80)}% 0 0)`,
  ({ number }) => `rotate: ${number(-180, 180)}deg; scale: ${number(0.4, 1.5, 1)}`,
]

const content = (dice, depth) => {
  const { pick, number, colour, chance } = dice
  return pick([
    () => pick(WORDS),
    () => `${pick(WORDS)}<br>${pick(WORDS)}`,
    () => `<b style="font-size: ${number(10, 40)}px; color: ${colour()}">${pick(WORDS)}</b> ${pick(WORDS)}`,
    () =>
      `<svg width="${number(30, 120)}" height="60" viewBox="0 0 100 60"><path d="M5 50 Q 50 ${number(-20, 40)} 95 50" fill="${colour()}" stroke="${colour()}" stroke-width="${number(1, 8, 1)}"/><circle cx="${number(10, 90)}" cy="20" r="${number(4, 18, 1)}" fill="${colour()}"/></svg>`,
    () => (depth > 0 && chance(0.8) ? box(dice, depth - 1) + box(dice, depth - 1) : ''),
    () => '',
  ])()
}

let motionIndex = 0

const box = (dice, depth) => {
  const { number, chance, pick, colour } = dice
  const parts = [
    `position: ${pick(['absolute', 'absolute', 'relative', 'static'])}`,
    `left: ${number(-20, 320, chance(0.5) ? 0 : 2)}px`,
    `top: ${number(-20, 200, chance(0.5) ? 0 : 2)}px`,
    `width: ${number(20, 180, chance(0.5) ? 0 : 1)}px`,
    `height: ${number(20, 120, chance(0.5) ? 0 : 1)}px`,
    `background: ${chance(0.6) ? colour() : gradient(dice)}`,
    `color: ${colour()}`,
    `font: ${pick([400, 700])} ${number(12, 40, 1)}px Inter, sans-serif`,
  ]
  for (let count = number(0, 3); count > 0; count -= 1) parts.push(pick(styles)(dice))
  let keyframes = ''
  if (chance(0.55)) {
    motionIndex += 1
    keyframes = `<style>@keyframes m${motionIndex} { to { ${pick(motions)(dice)} } }</style>`
    const timing = pick(['linear', 'ease-in-out', 'cubic-bezier(.3,1.6,.6,1)', 'steps(5)'])
    parts.push(
      `animation: m${motionIndex} ${number(0.4, 1, 2)}s ${number(0, 0.3, 2)}s ${timing} ${pick(['both', 'infinite alternate'])}`,
    )
  }
  return `${keyframes}<div style="${parts.join('; ')}">${content(dice, depth)}</div>\n`
}

/** The HTML of the page of a seed: 400 × 240, one second. */
export const randomPage = (seed) => {
  const dice = createDice(seed)
  motionIndex = 0
  const boxes = Array.from({ length: dice.number(3, 9) }, () => box(dice, 2)).join('')
  const background = dice.chance(0.5) ? dice.colour() : gradient(dice)
  return `<!doctype html>
<html><head><meta charset="utf-8"><style>#root { background: ${background}; overflow: hidden }</style></head>
<body><div id="root" data-composition-id="random" data-width="400" data-height="240" data-duration="1">
${boxes}</div></body></html>
`
}
