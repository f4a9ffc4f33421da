import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    outDir: process.env.ZERMELO_PAGE_OUT ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The page may load nothing but files of its own: no data: addresses, nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': process.env.ZERMELO_URL ?? 'http://127.0.0.1:8080' } },
});
