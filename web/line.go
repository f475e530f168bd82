package web

import (
	"bytes"
	"log/slog"
	"net"
	"sync/atomic"

	"github.com/valyala/fasthttp"
)

// Clients of the field send raw spaces in queries, such as
//
//	GET /v1/…?declaration={"size": 2} HTTP/1.1
//
// which no Go server reads. A lineConn writes these spaces as %20 before the
// server sees them, and changes nothing else.
type lineConn struct {
	net.Conn
	state atomic.Int32
	query bool   // the request line has come to its query
	held  []byte // from the last space on: the protocol, or more of the query
	out   []byte // ready for the server
}

const (
	lineNow   int32 = iota // the next byte belongs to a request line
	lineMaybe              // it does, unless the server has it already (pipelining)
	lineDone               // headers and body pass untouched
)

// lineLimit is how much is held back at most, as much as the server would read.
const lineLimit = 16 << 10

// Read passes on what the client sent.
func (c *lineConn) Read(p []byte) (int, error) {
	if len(c.out) == 0 && c.state.Load() == lineDone {
		return c.Conn.Read(p)
	}
	for len(c.out) == 0 {
		n, err := c.Conn.Read(p)
		if n > 0 {
			c.state.Store(lineNow)
			c.take(p[:n])
		}
		if err != nil && len(c.out) == 0 {
			return 0, err
		}
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

// take moves input to out, byte by byte up to the end of the request line.
func (c *lineConn) take(input []byte) {
	c.out = c.out[:0]
	for i, b := range input {
		switch {
		case b == '\n':
			c.out = append(append(c.out, c.held...), input[i:]...)
			c.held, c.query = c.held[:0], false
			c.state.Store(lineDone)
			return
		case b == ' ' && c.query:
			c.release()
			c.held = append(c.held, b)
		case len(c.held) > 0:
			c.held = append(c.held, b)
		default:
			c.query = c.query || b == '?'
			c.out = append(c.out, b)
		}
	}
	if len(c.held) > lineLimit {
		c.release()
	}
}

// release writes the last space as part of the query: another one followed.
func (c *lineConn) release() {
	if len(c.held) > 0 {
		c.out = append(append(c.out, "%20"...), bytes.TrimPrefix(c.held, []byte{' '})...)
		c.held = c.held[:0]
	}
}

// lineState follows a connection from request to request. The server reads on
// an idle connection only when it holds nothing of the next request yet.
func lineState(conn net.Conn, state fasthttp.ConnState) {
	c, ok := conn.(*lineConn)
	switch {
	case !ok:
	case state == fasthttp.StateIdle:
		c.state.CompareAndSwap(lineDone, lineMaybe)
	case state == fasthttp.StateActive:
		c.state.CompareAndSwap(lineMaybe, lineDone)
	}
}

// lineListener hands out lineConns.
type lineListener struct{ net.Listener }

// Accept waits for the next connection.
func (l lineListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &lineConn{Conn: conn}, nil
}

// serverLog takes what the server says about broken connections.
type serverLog struct{ log *slog.Logger }

// Printf writes one event; its text may quote the client, so it is kept for
// those who look closely.
func (l serverLog) Printf(format string, _ ...any) { l.log.Debug("connection", "event", format) }
