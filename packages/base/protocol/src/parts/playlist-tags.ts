/**
 * The line of an HLS media playlist whose render failed or was stopped: what it lists is all that there will be. Players
 * ignore tags that they do not know, and stop at the end of the list.
 */
export const INCOMPLETE_TAG = '#EXT-X-VID-INCOMPLETE'

/** File name of the multivariant playlist of an HLS video, which players open. */
export const INDEX_PLAYLIST = 'index.m3u8'
