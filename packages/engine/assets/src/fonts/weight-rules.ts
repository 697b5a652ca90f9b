/** The weights of CSS that the bundled families have, from 100 to 900, on the scale of fontconfig. */
const SCALE = [0, 40, 50, 80, 100, 180, 200, 205, 210]

/** The index of 400 in `SCALE`. */
const REGULAR = 3

const weightTest = (compare: string, weight: number) =>
  `<test name="weight" compare="${compare}"><int>${weight}</int></test>`

/** A rule for weights between two steps: CSS takes the lighter one below 400, and the heavier one above it. */
const stepRule = (weight: number, index: number): string => {
  const next = SCALE[index + 1] ?? weight
  return (
    `<match target="pattern">${weightTest('more', weight)}${weightTest('less', next)}` +
    `<edit name="weight" mode="assign"><int>${index < REGULAR ? weight : next}</int></edit></match>`
  )
}

/** A rule for a weight that the files of several styles claim to have: the name of the style tells them apart. */
const styleRule = (weight: number, style: string): string =>
  [
    ['eq', style],
    ['more', `${style} Italic`],
  ]
    .map(
      ([compare, name]) =>
        `<match target="pattern">${weightTest('eq', weight)}<test name="slant" compare="${compare}"><int>0</int></test>` +
        `<edit name="style" mode="assign" binding="strong"><string>${name}</string></edit></match>`,
    )
    .join('')

/**
 * Fontconfig rules that choose a weight as CSS chooses one of several faces: fontconfig itself takes the nearest on its
 * own scale.
 */
export const WEIGHT_RULES: readonly string[] = [
  ...SCALE.slice(0, -1).map(stepRule),
  styleRule(0, 'Thin'),
  styleRule(40, 'ExtraLight'),
]
