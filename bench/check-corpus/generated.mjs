// Entries that are a matter of numbers: pairs of colours, sizes, distances, times and levels. Each is a page with a head, as the written ones.

const page = (
  { rule, element = 'none', wrong, flags, says },
  { size = [640, 360], seconds = 2, style = '', body, script },
) => `<!--
rule: ${rule}
element: ${element}
wrong: ${wrong}
${flags === undefined ? '' : `flags: ${flags}\n`}says: ${says}
-->
<style>
  #root { background: #14213d; color: #fff; font-family: sans-serif }
  ${style}
</style>
<div id="root" data-composition-id="film" data-width="${size[0]}" data-height="${size[1]}" data-duration="${seconds}">
  ${body}
</div>
${script === undefined ? '' : `<script>\n${script}\n</script>\n`}`

const title = (text, styles = '') =>
  `<div id="title" style="position: absolute; left: 60px; top: 130px; ${styles}">${text}</div>`

/** Relative luminance of an sRGB colour by WCAG 2.2. */
const luminance = (color) => {
  const [red, green, blue] = color.map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const ratio = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}
const hex = (color) => `#${color.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`

/** The colour between `ground` and black or white whose contrast with `ground` is the closest to `contrast`. */
const colorOf = (ground, contrast) => {
  const end = luminance(ground) > 0.18 ? 0 : 255
  const steps = Array.from({ length: 256 }, (_, step) => ground.map((value) => value + ((end - value) * step) / 255))
  return hex(
    steps.reduce((best, step) =>
      Math.abs(ratio(step, ground) - contrast) < Math.abs(ratio(best, ground) - contrast) ? step : best,
    ),
  )
}

/** Grounds, what the wrong and the right colour's contrast with them is, and the size of the text. */
const COLORS = [
  { ground: [255, 255, 255], wrong: 1.6, right: 4.8, size: 20 },
  { ground: [255, 255, 255], wrong: 2.7, right: 5.5, size: 28 },
  { ground: [0, 0, 0], wrong: 1.5, right: 4.8, size: 20 },
  { ground: [0, 0, 0], wrong: 2.6, right: 7, size: 44 },
  { ground: [230, 57, 70], wrong: 1.4, right: 4.6, size: 24 },
  { ground: [29, 53, 87], wrong: 2.4, right: 5, size: 24 },
  { ground: [42, 157, 143], wrong: 2, right: 3.4, size: 60 },
  { ground: [255, 209, 102], wrong: 2.2, right: 6, size: 18 },
  { ground: [90, 24, 154], wrong: 2.6, right: 5, size: 30 },
  { ground: [128, 128, 128], wrong: 1.8, right: 3.6, size: 64 },
]

const contrasts = () => {
  const flat = COLORS.map(({ ground, wrong, right, size }) => {
    const background = hex(ground)
    return [
      `contrast/flat-${background.slice(1)}-${wrong}-at-${size}px`,
      page(
        { rule: 'contrast', element: '#title', wrong: '0 to 2', says: `The contrast is about ${wrong} to 1.` },
        {
          style: `#root { background: ${background} }`,
          body: title(
            'Nine o’clock',
            `color: [[${colorOf(ground, wrong)}|${colorOf(ground, right)}]]; font-size: ${size}px`,
          ),
        },
      ),
    ]
  })
  const gradients = [
    [[0, 70, 67], [12, 90, 84], 1.9],
    [[255, 183, 3], [251, 160, 0], 1.7],
    [[60, 60, 60], [90, 90, 90], 2.2],
  ].map(([from, to, wrong]) => [
    `contrast/gradient-${hex(from).slice(1)}-${wrong}`,
    page(
      {
        rule: 'contrast',
        element: '#title',
        wrong: '0 to 2',
        says: `On the gradient the contrast is about ${wrong} to 1.`,
      },
      {
        style: `#root { background: linear-gradient(${hex(from)}, ${hex(to)}) }`,
        body: title('Nine o’clock', `color: [[${colorOf(from, wrong)}|${colorOf(to, 6.5)}]]; font-size: 30px`),
      },
    ),
  ])
  const pictures = ['night', 'snow'].flatMap((look) =>
    [`media/${look}-640x360.png`, `media/${look}-640x360-2s.mp4`].map((file) => {
      const tag = file.endsWith('.mp4')
        ? `<video src="${file}" data-start="0" data-duration="2" muted></video>`
        : `<img src="${file}" alt="">`
      const colors = look === 'night' ? '#3a3a3a|#ffffff' : '#c9c9c9|#1a1a1a'
      return [
        `contrast/over-${look}-${file.endsWith('.mp4') ? 'video' : 'image'}`,
        page(
          {
            rule: 'contrast',
            element: '#title',
            wrong: '0 to 2',
            says: 'The text has nearly the colour of the picture behind it.',
          },
          {
            style: 'img, video { position: absolute; left: 0; top: 0; width: 640px; height: 360px }',
            body: `${tag}\n  ${title('Nine o’clock', `color: [[${colors}]]; font: 700 44px sans-serif`)}`,
          },
        ),
      ]
    }),
  )
  return [...flat, ...gradients, ...pictures]
}

/** Font sizes in parts of the shorter side. */
const sizes = () =>
  [
    [[640, 360], 0.012, 0.032],
    [[360, 640], 0.014, 0.03],
    [[400, 400], 0.015, 0.04],
    [[960, 540], 0.013, 0.03],
  ].map(([size, wrong, right]) => {
    const side = Math.min(...size)
    return [
      `text/small-in-${size.join('x')}`,
      page(
        {
          rule: 'text-small',
          element: '#note',
          wrong: '0 to 1',
          says: `The letters are ${(wrong * 100).toFixed(1)} % of the shorter side.`,
        },
        {
          size,
          seconds: 1,
          body: `${title('Sale', 'font-size: 48px')}\n  <div id="note" style="position: absolute; left: 60px; top: 240px; font-size: [[${(wrong * side).toFixed(1)}px|${(right * side).toFixed(1)}px]]">while stocks last</div>`,
        },
      ),
    ]
  })

const edges = () =>
  ['left', 'right', 'top', 'bottom'].map((edge) => [
    `text/too-near-the-${edge}`,
    page(
      { rule: 'text-safe-area', element: '#note', wrong: '0 to 1', says: `The note stands at the ${edge} edge.` },
      {
        seconds: 1,
        style: `#note { position: absolute; font-size: 24px; ${edge}: [[2px|48px]]; ${edge === 'left' || edge === 'right' ? 'top: 220px' : 'left: 300px'} }`,
        body: `${title('Sale', 'font-size: 48px')}\n  <div id="note">this week</div>`,
      },
    ),
  ])

/** Boxes that are narrower than their text by a part of it. */
const cuts = () =>
  [0.12, 0.3, 0.5].map((part) => [
    `text/box-narrower-by-${part * 100}-percent`,
    page(
      { rule: 'text-cut', element: '#line', wrong: '0 to 1', says: `${part * 100} % of the line are missing.` },
      {
        seconds: 1,
        style:
          '#line { position: absolute; left: 60px; top: 140px; overflow: hidden; white-space: nowrap; font-size: 32px }',
        body: '<div id="line">Tickets at the door</div>',
        script: `const line = document.querySelector('#line')\nline.style.width = \`\${line.scrollWidth * [[${1 - part}|1.02]]}px\``,
      },
    ),
  ])

const gaps = () =>
  [0.6, 1, 2].map((gap) => [
    `picture/gap-of-${gap}-seconds`,
    page(
      { rule: 'empty-picture', wrong: `1 to ${1 + gap}`, says: `For ${gap} seconds nothing is there.` },
      {
        seconds: 2 + gap,
        style: '#root > div { left: 60px; top: 130px; font-size: 48px }',
        body: `<div data-start="0" data-duration="[[1|${1 + gap}]]">Before</div>\n  <div data-start="${1 + gap}">After</div>`,
      },
    ),
  ])

const flashes = () =>
  [
    [5, 100],
    [7.5, 70],
  ].map(([hertz, height]) => [
    `picture/flash-${hertz}-hz-${height}-percent`,
    page(
      { rule: 'flash', wrong: '0 to 2', says: `${hertz} flashes a second over ${height} % of the picture.` },
      {
        style: `#light { position: absolute; left: 0; top: 0; width: 640px; height: ${height}% }`,
        body: `<div id="light"></div>\n  <div style="position: absolute; left: 60px; bottom: 40px; padding: 6px 12px; background: #000; font-size: 30px">Party</div>`,
        script: `addEventListener('vid-seek', ({ detail }) => {\n  const isLit = (detail.time * [[${hertz}|1]] + 0.0001) % 1 < 0.5\n  document.querySelector('#light').style.background = isLit ? '#fff' : '#000'\n})`,
      },
    ),
  ])

const scales = () =>
  [1.8, 2.5, 4].map((scale) => [
    `picture/image-${scale}-times-its-pixels`,
    page(
      {
        rule: 'upscaled-image',
        element: '#photo',
        wrong: '0 to 1',
        says: `The photo is shown at ${scale} times its size.`,
      },
      {
        seconds: 1,
        style: '#photo { position: absolute; left: 40px; top: 40px; width: 400px; height: 280px }',
        body: `<img id="photo" src="media/photo-[[${Math.round(400 / scale)}x${Math.round(280 / scale)}|600x420]].png" alt="">`,
      },
    ),
  ])

const shapes = () =>
  [0.6, 0.8, 1.5].map((factor) => [
    `picture/image-squeezed-by-${factor}`,
    page(
      {
        rule: 'squeezed-image',
        element: '#photo',
        wrong: '0 to 1',
        says: `The photo's width is ${factor} of what its shape needs.`,
      },
      {
        seconds: 1,
        style: `#photo { position: absolute; left: 40px; top: 60px; width: [[${240 * factor}|240]]px; height: 180px }`,
        body: '<img id="photo" src="media/photo-800x600.png" alt="">',
      },
    ),
  ])

const shortVideos = () =>
  [0.5, 1.2].map((missing) => [
    `picture/video-ends-${missing}-seconds-early`,
    page(
      {
        rule: 'video-too-short',
        element: '#shot',
        wrong: `${2 - missing} to 2`,
        says: `The video ends ${missing} seconds before its clip.`,
      },
      {
        style: '#shot { width: 640px; height: 360px }',
        body: `<video id="shot" src="media/film-640x360-[[${2 - missing}|2]]s.mp4" data-start="0" data-duration="2" muted></video>`,
      },
    ),
  ])

const jumps = () =>
  [
    ['x', 90],
    ['x', 260],
    ['y', 60],
    ['y', 120],
  ].map(([axis, pixels]) => {
    const at = (value) => (axis === 'x' ? `${value}px 0` : `0 ${value}px`)
    return [
      `motion/jump-of-${pixels}-pixels-in-${axis}`,
      page(
        {
          rule: 'jump',
          element: '#box',
          wrong: '0.95 to 1.05',
          says: `In the middle of its way the box skips ${pixels} pixels.`,
        },
        {
          style: `#box { position: absolute; left: 60px; top: 50px; width: 70px; height: 70px; background: #fca311; animation: move 2s linear both }\n  @keyframes move { 49.99% { translate: ${at(60)} } 50% { translate: ${at(`[[${60 + pixels}|60]]`)} } to { translate: ${at(100 + pixels)} } }`,
          body: '<div id="box"></div>',
        },
      ),
    ]
  })

const cutAnimations = () =>
  [0.4, 0.8].map((part) => [
    `motion/animation-cut-at-${part * 100}-percent`,
    page(
      {
        rule: 'cut-animation',
        element: '#box',
        wrong: '0.7 to 1.2',
        says: `The clip ends when ${part * 100} % of its animation have run.`,
      },
      {
        style: `#box { left: 60px; top: 100px; width: 90px; height: 90px; background: #fca311; animation: move [[${1.2 / part}s|1.1s]] linear both }\n  #next { left: 60px; top: 130px; font-size: 48px }\n  @keyframes move { to { translate: 400px } }`,
        body: '<div id="box" data-start="0" data-duration="1.2"></div>\n  <div id="next" data-start="1.2">Next</div>',
      },
    ),
  ])

const sound = (body, seconds) => ({ seconds, body: `${title('On the radio', 'font-size: 44px')}\n  ${body}` })

const levels = () => [
  ...[1.25, 2].map((volume) => [
    `sound/tone-clipped-at-volume-${volume}`,
    page(
      {
        rule: 'clipping',
        wrong: '0 to 2',
        says: `The tone is ${(20 * Math.log10(volume) - 1).toFixed(1)} dB too high.`,
      },
      sound(`<audio src="media/tone-997hz--1db-2s.wav" data-start="0" data-volume="[[${volume}|0.7]]"></audio>`, 2),
    ),
  ]),
  ...[
    [-14, -24],
    [-14, -9],
    [-16, -30],
  ].map(([target, level]) => [
    `sound/loudness-${level}-for-${target}`,
    page(
      {
        rule: 'loudness',
        wrong: '0 to 3',
        flags: `--loudness ${target}`,
        says: `The video has ${level} LUFS, its platform wants ${target}.`,
      },
      sound(`<audio src="media/tone-1000hz-[[${level}|${target}]]db-3s.wav" data-start="0"></audio>`, 3),
    ),
  ]),
  ...[2.5, 2.9].map((gap) => [
    `sound/silence-of-${gap}-seconds`,
    page(
      { rule: 'silence', wrong: `1 to ${1 + gap}`, says: `Between two tones there is nothing for ${gap} seconds.` },
      sound(
        `<audio src="media/tone-300hz--14db-[[1|${1 + gap}]]s.wav" data-start="0"></audio>\n  <audio src="media/tone-400hz--14db-1s.wav" data-start="${1 + gap}"></audio>`,
        2 + gap,
      ),
    ),
  ]),
  ...[
    [300, -12],
    [1000, -18],
  ].map(([hertz, level]) => [
    `sound/tone-of-${hertz}-hertz-cut`,
    page(
      { rule: 'cut-sound', element: '#tone', wrong: '1.45 to 1.55', says: 'The tone ends with a click.' },
      sound(
        `<audio id="tone" src="media/tone-${hertz}hz-${level}db-[[3|1.5]]s.wav" data-start="0" data-duration="1.5"></audio>`,
        2,
      ),
    ),
  ]),
]

/** All generated entries: pages by their names. */
export const generatedEntries = () =>
  Object.fromEntries(
    [contrasts, sizes, edges, cuts, gaps, flashes, scales, shapes, shortVideos, jumps, cutAnimations, levels].flatMap(
      (make) => make(),
    ),
  )
