// Makes gzip of this process store instead of compress: node --import=stored-gzip.mjs PROGRAM
import zlib from 'node:zlib'

const { Gzip } = zlib

zlib.Gzip = class extends Gzip {
  constructor(options) {
    super({ ...options, level: zlib.constants.Z_NO_COMPRESSION })
  }
}
