import type { PlayerScript } from './contract/player.ts'

/** JSON that is safe inside a script of a document. */
export const scriptJson = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The script of a document that a player plays, around the built script of `page/player`. */
export const playerText = (bundle: string, { config, settings }: PlayerScript): string =>
  `(function(__VID_CONFIG__,__VID_PLAYER__){${bundle}})(${scriptJson(config)},${scriptJson(settings)});`
