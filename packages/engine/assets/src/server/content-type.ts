import mime from 'mime'

/** Content type of a file by its name, text as UTF-8. */
export const contentTypeOf = (name: string): string => {
  const type = mime.getType(name) ?? 'application/octet-stream'
  return /^text\/|[/+](?:json|xml)$|javascript$/.test(type) ? `${type}; charset=utf-8` : type
}
