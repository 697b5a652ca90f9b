/** Properties whose images are drawn by other means, or by nothing in a video. */
const OTHER = /^(src|cursor)$/

/** Values of which a property that may name an image takes one. */
const SAMPLES = ['url("x")', 'below url("x")']

const answers = new Map<string, boolean>()

/** Whether a property may name an image, as the browser says; one of the page's own may hold anything. */
const mayNameImage = (property: string): boolean => {
  if (property.startsWith('--')) return true
  let answer = answers.get(property)
  if (answer === undefined) {
    answer = !OTHER.test(property) && SAMPLES.some((sample) => CSS.supports(property, sample))
    answers.set(property, answer)
  }
  return answer
}

/** The properties of a style that name images, with their values; the others are not read, which would take longer. */
export const imageValues = (style: CSSStyleDeclaration): [property: string, value: string][] => {
  const values: [string, string][] = []
  for (let index = 0; index < style.length; index++) {
    const property = style.item(index)
    if (!mayNameImage(property)) continue
    const value = style.getPropertyValue(property)
    if (value.includes('url(')) values.push([property, value])
  }
  return values
}
