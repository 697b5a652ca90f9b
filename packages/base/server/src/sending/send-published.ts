import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failHttp } from '../errors.ts'
import { sendFile } from './send-file.ts'

/** Names of what an encoder publishes: no hidden file, and nothing that is being written. */
const PUBLISHED = /^[\w-]+\.(m3u8|m4s|mp4|vtt|jpg|json)$/

const types: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/mp4',
  mp4: 'video/mp4',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
  json: 'application/json',
}

/** MIME type of a file that an encoder publishes; undefined if the name is that of no such file. */
export const publishedType = (name: string): string | undefined => types[PUBLISHED.exec(name)?.[1] ?? '']

/** Sends a file of a video that is published while it is rendered; everything else in its folder is unknown. */
export const sendPublished = (
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<FastifyReply> => {
  const type = publishedType(name)
  if (type === undefined) throw failHttp('VID_HTTP_NOT_FOUND', {})
  // Playlists grow; parts do not change, and belong to those who have their address.
  reply.header('cache-control', type === types.m3u8 ? 'no-store' : 'private')
  return sendFile(request, reply, { path: join(folder, name), type })
}
