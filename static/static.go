// Package static holds the portal's built style sheet and scripts, each under
// a name that carries a piece of its content's hash.
package static

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io/fs"
	"mime"
	"path"
	"strings"
)

//go:generate ./build.sh

//go:embed dist
var dist embed.FS

// asset is one built file, ready to be sent.
type asset struct {
	body, gzipped []byte
	contentType   string
}

// assets maps a URL path to its file, paths a plain name to its URL path;
// both are read once and never written again.
var assets, paths = read(dist)

// Path returns the URL path of a built file by its plain name:
// "app.css" is found at "/static/app.3f2a1b9c0d.css".
func Path(name string) string { return paths[name] }

// File returns the file at a URL path as it is and compressed. Only the exact
// paths that Path returns are known.
func File(urlPath string) (body, gzipped []byte, contentType string, ok bool) {
	a, ok := assets[urlPath]
	return a.body, a.gzipped, a.contentType, ok
}

func read(files fs.FS) (map[string]asset, map[string]string) {
	assets, paths := map[string]asset{}, map[string]string{}
	names, err := fs.Glob(files, "dist/*.*")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		body, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err)
		}
		url := "/static/" + path.Base(name)
		assets[url] = asset{body, compress(body), mime.TypeByExtension(path.Ext(name))}
		paths[plain(path.Base(name))] = url
	}
	return assets, paths
}

// plain takes the hash out of a built name: app.3f2a1b9c0d.css is app.css.
func plain(name string) string {
	parts := strings.Split(name, ".")
	if len(parts) < 3 {
		return name
	}
	return strings.Join(append(parts[:len(parts)-2:len(parts)-2], parts[len(parts)-1]), ".")
}

func compress(body []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		panic(err)
	}
	if _, err := w.Write(body); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}
