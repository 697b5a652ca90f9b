import { natives } from '../realm/natives.ts'

const SVG = 'http://www.w3.org/2000/svg'

/** Takes no room, and unlike what is not displayed, can be referred to. */
const PLACE = 'position:absolute;width:0;height:0;overflow:hidden'

/** References inside a file: in values, in links, and in the times of its animations. */
const INNER = /(url\(\s*["']?#)([^"')\s]+)/g
const LINK = /^(#)(.+)$/
const TIMED = /(^|[;\s])([\w-]+)(?=\.(?:begin|end|repeat))/g

/** Masks of other files, as elements of the page. */
export interface InlinedMasks {
  /** The `id`, in a tree, of a mask in a file; undefined if the file has no such mask, or one that cannot be copied. */
  idOf(tree: Document | ShadowRoot, address: string): Promise<string | undefined>
}

const read = async (address: string): Promise<Document | undefined> => {
  try {
    const answer = await natives.fetch(address)
    const bytes = await natives.arrayBuffer.call(answer)
    return new DOMParser().parseFromString(new TextDecoder().decode(bytes), 'image/svg+xml')
  } catch {
    return undefined // The page reports a file that cannot be had.
  }
}

const patternOf = (attribute: string): RegExp => {
  if (/^(?:xlink:)?href$/.test(attribute)) return LINK
  return /^(?:begin|end)$/.test(attribute) ? TIMED : INNER
}

/** Renames the elements of a file, so that they are nobody else's. */
const rename = (root: Element, prefix: string): void => {
  for (const element of [root, ...root.querySelectorAll('*')])
    for (const attribute of element.attributes) {
      const { name, value } = attribute
      const renamed =
        name === 'id'
          ? prefix + value
          : value.replace(patternOf(name), (_, before: string, id: string) => before + prefix + id)
      if (renamed !== value) attribute.value = renamed
    }
}

/** Creates the record of a page, with no file copied. */
export const createInlinedMasks = (): InlinedMasks => {
  const files = new Map<string, Promise<Document | undefined>>()
  const prefixes = new Map<string, string>()
  const copied = new WeakMap<Node, Set<string>>()

  const copy = (tree: Document | ShadowRoot, file: string, drawing: Document): string => {
    const prefix = prefixes.get(file) ?? `vid-file-${prefixes.size}-`
    prefixes.set(file, prefix)
    const inTree = copied.get(tree) ?? new Set()
    copied.set(tree, inTree)
    if (inTree.has(file)) return prefix
    inTree.add(file)
    const document = tree.ownerDocument ?? (tree as Document)
    const root = document.importNode(drawing.documentElement, true)
    rename(root, prefix)
    const place = natives.createElementNS.call(document, SVG, 'svg')
    place.setAttribute('style', PLACE)
    place.setAttribute('aria-hidden', 'true')
    place.append(root)
    // Beside the body, where no selector of the page counts it.
    ;(tree === document ? document.documentElement : tree).append(place)
    return prefix
  }

  return {
    async idOf(tree, address) {
      const { hash } = new URL(address)
      const file = address.slice(0, address.length - hash.length)
      const reading = files.get(file) ?? read(address)
      files.set(file, reading)
      const drawing = await reading
      const id = decodeURIComponent(hash.slice(1))
      // A style sheet of the file would style the page too.
      if (!drawing || drawing.querySelector('style,script')) return undefined
      if (drawing.getElementById(id)?.localName !== 'mask') return undefined
      return copy(tree, file, drawing) + id
    },
  }
}
