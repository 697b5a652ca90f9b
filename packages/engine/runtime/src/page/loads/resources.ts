import { natives, type Realm } from '../realm/natives.ts'

/** Fonts and images that are being loaded. */
export interface OpenResources {
  readonly fonts: FontFace[]
  readonly images: HTMLImageElement[]
}

const imagesOf = (tree: Document | ShadowRoot): HTMLImageElement[] => [
  ...('images' in tree ? tree.images : tree.querySelectorAll('img')),
]

/** Finds them; layout is forced first, since layout is what requests a font. */
export const findOpenResources = (
  realms: Iterable<Realm>,
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
): OpenResources => {
  const fonts: FontFace[] = []
  const images: HTMLImageElement[] = []
  for (const realm of realms) {
    const { document } = realm
    if (!document.documentElement) continue
    void document.documentElement.offsetHeight
    for (const image of treesOf(realm).flatMap(imagesOf)) {
      if (image.complete) continue
      image.loading = 'eager'
      image.decoding = 'sync'
      images.push(image)
    }
    for (const font of document.fonts) if (font.status === 'loading') fonts.push(font)
  }
  return { fonts, images }
}

/** Resolves when all of them have loaded or failed. */
export const awaitResources = async ({ fonts, images }: OpenResources): Promise<void> => {
  await Promise.allSettled([
    ...fonts.map((font) => font.loaded),
    ...images.map(
      (image) =>
        new Promise((resolve) => {
          natives.listen.call(image, 'load', resolve, { once: true })
          natives.listen.call(image, 'error', resolve, { once: true })
        }),
    ),
  ])
}
