import { gallery, galleryTests } from './fixtures/gallery.ts'

galleryTests(gallery)
