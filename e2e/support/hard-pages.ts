/** A page whose pictures a check may take for damaged ones, though they are right. */
export interface HardPage {
  readonly name: string
  readonly html: string
  readonly fps: number
  readonly quality: 'draft' | 'standard' | 'high'
}

/** Numbers from 0 to 1 that a seed repeats exactly. */
const createRandom = (seed: number) => {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const mixed = Math.imul(state ^ (state >>> 15), state | 1)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const createDice = (seed: number) => {
  const random = createRandom(seed)
  const number = (low: number, high: number) => Math.floor(low + random() * (high - low + 1))
  const pick = <T>(list: readonly T[]) => list[number(0, list.length - 1)] as T
  return { number, pick, chance: (share: number) => random() < share, colour: () => colourOf(number) }
}

const colourOf = (number: (low: number, high: number) => number) =>
  `hsl(${number(0, 359)} ${number(0, 100)}% ${number(0, 100)}%)`

type Dice = ReturnType<typeof createDice>

interface Size {
  readonly width: number
  readonly height: number
}

/** A canvas that a script fills once; `paint` is JavaScript with `c`, `w`, `h` and `r()`. */
const canvas = ({ number }: Dice, { width, height }: Size, paint: string) =>
  `<canvas width="${width}" height="${height}" style="position:absolute;left:0;top:0"></canvas><script>{
const e=document.currentScript.previousElementSibling,c=e.getContext('2d'),w=e.width,h=e.height;let s=${number(1, 1e6)};
const r=()=>(s=(Math.imul(s,1664525)+1013904223)>>>0)/2**32;${paint}}</script>`

const block = (style: string, content = '') => `<div style="position:absolute;${style}">${content}</div>`

const moving = (name: string, frames: string, seconds: number) =>
  `<style>@keyframes ${name}{${frames}}.${name}{animation:${name} ${seconds}s linear both}</style>`

/** What is drawn in the page, over its background. */
const kinds: Readonly<Record<string, (dice: Dice, size: Size, seconds: number) => string>> = {
  noise: (dice, size) =>
    canvas(
      dice,
      size,
      'const d=c.createImageData(w,h);for(let i=0;i<d.data.length;i++)d.data[i]=i%4==3?255:r()*256;c.putImageData(d,0,0)',
    ),
  'one pixel': ({ number, colour }, { width, height }) =>
    block(`left:${number(0, width - 1)}px;top:${number(0, height - 1)}px;width:1px;height:1px;background:${colour()}`),
  stars: (dice, size) =>
    canvas(
      dice,
      size,
      `c.fillStyle='${dice.colour()}';for(let i=0;i<${dice.number(1, 120)};i++)c.fillRect(r()*w|0,r()*h|0,2,2)`,
    ),
  dots: ({ number, colour }) =>
    block(
      `inset:0;background:radial-gradient(${colour()} 1px,transparent 1.5px) 0 0/${number(8, 32)}px ${number(8, 32)}px`,
    ),
  gradient: ({ number, pick, colour }) =>
    block(
      `inset:0;background:${pick(['linear-gradient(', 'radial-gradient(', 'conic-gradient('])}${colour()},${colour()} ${number(40, 100)}%)`,
    ),
  'nearly plain gradient': ({ number }) => {
    const level = number(0, 250)
    return block(
      `inset:0;background:linear-gradient(${number(0, 359)}deg,rgb(${level},${level},${level}),rgb(${level + 4},${level},${level + 2}))`,
    )
  },
  'fade from plain': ({ colour }, _, seconds) =>
    moving('fade', 'from{opacity:0}to{opacity:1}', seconds) +
    block(
      'inset:0',
      `<div class="fade" style="width:100%;height:100%;background:linear-gradient(${colour()},${colour()})"></div>`,
    ),
  'fade to plain': ({ colour }, _, seconds) =>
    moving('fade', 'from{opacity:1}to{opacity:0}', seconds) +
    block('inset:0', `<p class="fade" style="margin:0;font:bold 60px sans-serif;color:${colour()}">The end</p>`),
  'faint text': ({ number }, { height }) =>
    block(
      `left:4px;top:${number(0, Math.max(0, height - 20))}px;font:14px sans-serif;color:#8886;opacity:${number(2, 20) / 100}`,
      '© studio',
    ),
  text: ({ number, colour }) =>
    block(`left:4px;top:4px;font:${number(8, 40)}px serif;color:${colour()}`, 'A line of text that goes on'),
  'thin lines': ({ number, colour }) =>
    block(
      `inset:0;background:repeating-linear-gradient(${number(0, 180)}deg,${colour()} 0 1px,transparent 1px ${number(2, 40)}px)`,
    ),
  dithering: ({ colour }) =>
    block(`inset:0;background:repeating-conic-gradient(${colour()} 0 25%,${colour()} 0 50%) 0 0/2px 2px`),
  'clear with a shape': ({ number, colour }) =>
    block(
      `left:${number(0, 30)}%;top:${number(0, 30)}%;width:${number(1, 60)}%;height:${number(1, 60)}%;border-radius:50%;opacity:${number(5, 100) / 100};background:${colour()}`,
    ),
  'small and moving': ({ number, colour }, { width }, seconds) =>
    moving('move', `from{left:0}to{left:${width}px}`, seconds) +
    `<div class="move" style="position:absolute;top:${number(0, 80)}%;width:${number(1, 12)}px;height:${number(1, 12)}px;background:${colour()}"></div>`,
  flash: ({ colour }, _, seconds) =>
    moving('flash', 'from,39%{opacity:0}40%,45%{opacity:1}46%,to{opacity:0}', seconds) +
    `<div class="flash" style="position:absolute;inset:0;background:${colour()}"></div>`,
  'moving noise': (dice, size, seconds) =>
    moving('slide', `from{translate:0}to{translate:-${dice.number(1, 30)}px}`, seconds) +
    `<div class="slide" style="position:absolute;inset:0">${kinds.noise?.(dice, size, seconds)}</div>`,
  nothing: () => '',
}

const kindNames = Object.keys(kinds)

/** A hard page of the given number; the same number always gives the same one. */
export const hardPage = (number: number): HardPage => {
  const dice = createDice(number + 1)
  const kind = kindNames[number % kindNames.length] as string
  const large = dice.chance(0.12)
  const size = large ? { width: 1280, height: 720 } : { width: dice.number(32, 480), height: dice.number(32, 300) }
  const fps = dice.pick([10, 24, 25, 30])
  const frames = dice.chance(0.15) ? 1 : dice.number(2, 14)
  const seconds = frames / fps
  const background = kind.startsWith('clear') ? 'transparent' : dice.pick(['#000', '#fff', '#222', dice.colour()])
  const content = kinds[kind]?.(dice, size, seconds) ?? ''
  const style = `position:relative;overflow:hidden;width:${size.width}px;height:${size.height}px;background:${background}`
  return {
    name: `${number} ${kind}, ${size.width} × ${size.height}, ${frames} frames`,
    html: `<!doctype html><html><body style="margin:0;background:transparent"><div data-composition-id="main" data-width="${size.width}" data-height="${size.height}" data-duration="${seconds}" style="${style}">${content}</div></body></html>`,
    fps,
    quality: dice.pick(['draft', 'standard', 'high']),
  }
}
