import type { Engine, Image, Recipe } from '@vid/container'
import { bytesText } from '../../text.ts'

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
export const imageText = (
  { kind, version, program }: Engine,
  recipe: Recipe | undefined,
  image: Image | undefined,
): string =>
  [
    `engine    ${kind} ${version}, ${program}`,
    `image     ${recipe?.reference ?? 'none: there is nothing to build it from'}`,
    ...(image
      ? [
          `digest    ${image.id}`,
          `platform  ${image.platform}`,
          ...(image.bytes === undefined ? [] : [`size      ${bytesText(image.bytes)}`]),
          ...(image.layers === undefined ? [] : [`layers    ${image.layers}`]),
        ]
      : recipe
        ? ['state     not built yet: "vid container build" does it, or the first render with --docker']
        : []),
  ].join('\n')
