import type { Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'
import { describeElement } from './describe-element.ts'
import { NOT_LATIN } from './generated-texts.ts'

/** Characters that a script has drawn into a canvas, of the texts that are not Latin. */
export interface CanvasText {
  readonly characters: ReadonlySet<string>
  /** As the canvas has it, such as `bold 20px Inter`. */
  readonly font: string
  readonly canvas: string
}

/** What is kept of a page that draws new texts for ever. */
const MOST_CHARACTERS = 5000
const MOST_FONTS = 100

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D
type DrawText = (this: Context, ...values: unknown[]) => void

/** Keeps the characters that scripts of a page have drawn into canvases. */
export const createCanvasTexts = () => {
  const drawn = new Map<string, CanvasText & { readonly characters: Set<string> }>()
  const note = ({ canvas, font }: Context, text: string) => {
    const name = 'tagName' in canvas ? describeElement(canvas) : 'canvas'
    const key = `${name}\n${font}`
    const entry = drawn.get(key) ?? { canvas: name, font, characters: new Set() }
    if (drawn.size < MOST_FONTS) drawn.set(key, entry)
    for (const character of text) if (entry.characters.size < MOST_CHARACTERS) entry.characters.add(character)
  }
  return {
    install(realm: Realm): void {
      for (const { prototype } of [realm.CanvasRenderingContext2D, realm.OffscreenCanvasRenderingContext2D])
        for (const name of ['fillText', 'strokeText'] as const) {
          const native = prototype[name] as DrawText
          replaceMethod(prototype as Record<typeof name, DrawText>, name, function (...values) {
            native.apply(this, values)
            const [text] = values
            if (typeof text === 'string' && NOT_LATIN.test(text)) note(this, text)
          })
        }
    },
    texts: (): Iterable<CanvasText> => drawn.values(),
  }
}
export type CanvasTexts = ReturnType<typeof createCanvasTexts>
