/** The kind of an image file that may be animated; `type` is its MIME type. */
export type ImageKind =
  | { readonly kind: 'frames'; readonly type: string }
  | { readonly kind: 'drawing'; readonly text: string }

const ascii = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end))

/** Whether a chunk before the pixels marks a PNG as animated. */
const isAnimatedPng = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let offset = 8; offset + 8 <= bytes.length; offset += 12 + view.getUint32(offset)) {
    const name = ascii(bytes, offset + 4, offset + 8)
    if (name === 'acTL') return true
    if (name === 'IDAT') return false
  }
  return false
}

const ANIMATED = /<(?:\w+:)?(?:animate\w*|set)[\s/>]|@keyframes/

/** Reads from a file's bytes whether it may be animated; undefined when it is not, or is no image. */
export const readImageKind = (bytes: Uint8Array): ImageKind | undefined => {
  const head = ascii(bytes, 0, 12)
  if (head.startsWith('GIF8')) return { kind: 'frames', type: 'image/gif' }
  if (head.startsWith('\x89PNG')) return isAnimatedPng(bytes) ? { kind: 'frames', type: 'image/png' } : undefined
  if (head.startsWith('RIFF') && head.endsWith('WEBP'))
    return ascii(bytes, 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0
      ? { kind: 'frames', type: 'image/webp' }
      : undefined
  if (head.slice(4) === 'ftypavis') return { kind: 'frames', type: 'image/avif' }
  if (!/^[\s\xef\xbb\xbf]*</.test(head)) return undefined
  const text = new TextDecoder().decode(bytes)
  return text.includes('<svg') && ANIMATED.test(text) ? { kind: 'drawing', text } : undefined
}
