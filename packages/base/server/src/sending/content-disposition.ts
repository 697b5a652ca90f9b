/** The header that makes a browser save a reply under a name with any characters. */
export const attachment = (name: string): string => {
  const safe = name.replaceAll(/[\p{Cc}\p{Cs}/\\]+/gu, '_') || 'download'
  const ascii = safe.replaceAll(/[^\x20-\x7e]+/g, '_').replaceAll(/["%]/g, '_')
  if (ascii === safe) return `attachment; filename="${ascii}"`
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
