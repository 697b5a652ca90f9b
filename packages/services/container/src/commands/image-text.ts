import { bytesText } from '@vid/command'
import type { Engine } from '../engine/find-engine.ts'
import type { Image } from '../image/image.ts'
import type { Recipe } from '../image/recipe.ts'

/** Engine and image, as an event carries them. */
export const imageFacts = (
  { kind, version, program }: Engine,
  recipe: Recipe | undefined,
  image: Image | undefined,
) => ({
  engine: { kind, version, program },
  image: {
    reference: recipe?.reference ?? null,
    id: image?.id ?? null,
    platform: image?.platform ?? null,
    bytes: image?.bytes ?? null,
    layers: image?.layers ?? null,
    created: image?.created ?? null,
  },
})

/** Engine and image, one fact a line. */
export const imageText = ({ engine, image }: ReturnType<typeof imageFacts>): string => {
  const { reference, id, platform, bytes, layers } = image
  const state =
    reference === null ? '' : 'not built yet: "vid container build" does it, or the first render with --docker'
  const facts: readonly (readonly [string, string | number | null])[] =
    id === null
      ? [['state', state || null]]
      : [
          ['digest', id],
          ['platform', platform],
          ['size', bytes === null ? null : bytesText(bytes)],
          ['layers', layers],
        ]
  return [
    ['engine', `${engine.kind} ${engine.version}, ${engine.program}`] as const,
    ['image', reference ?? 'none: there is nothing to build it from'] as const,
    ...facts.filter(([, value]) => value !== null),
  ]
    .map(([name, value]) => `${name.padEnd(9)} ${value}`)
    .join('\n')
}
