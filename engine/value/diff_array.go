package value

import "crypto/sha256"

// maxAlignment bounds the cells of all tables that one Diff fills to align
// arrays. Beyond it elements are paired by their index.
const maxAlignment = 1_000_000

type hash = [sha256.Size]byte

func hashes(items []Value, o *Ordering) []hash {
	found := make([]hash, len(items))
	for i := range items {
		found[i] = Hash(&items[i], o)
	}
	return found
}

// stretch is a part of an array with the index at which it begins.
type stretch struct {
	items  []Value
	hashes []hash
	first  int
}

// cut returns the part of s from one index of it to another.
func (s stretch) cut(from, to int) stretch {
	return stretch{s.items[from:to], s.hashes[from:to], s.first + from}
}

// multisets tells which elements have come and gone.
func (d *differ) multisets(before, after []Value, o *Ordering) {
	old, now := hashes(before, o), hashes(after, o)
	left := count(old)
	for i, h := range now {
		if left[h]--; left[h] < 0 {
			d.lone(i, nil, &after[i])
		}
	}
	left = count(now)
	for i, h := range old {
		if left[h]--; left[h] < 0 {
			d.lone(i, &before[i], nil)
		}
	}
}

func count(hashes []hash) map[hash]int {
	counts := make(map[hash]int, len(hashes))
	for _, h := range hashes {
		counts[h]++
	}
	return counts
}

// arrays aligns equal elements and compares what lies between them.
func (d *differ) arrays(before, after []Value, o *Ordering) {
	old := stretch{before, hashes(before, o), 0}
	now := stretch{after, hashes(after, o), 0}
	head, tail := 0, 0
	shorter := min(len(before), len(after))
	for head < shorter && old.hashes[head] == now.hashes[head] {
		head++
	}
	for tail < shorter-head && old.hashes[len(before)-1-tail] == now.hashes[len(after)-1-tail] {
		tail++
	}
	old, now = old.cut(head, len(before)-tail), now.cut(head, len(after)-tail)
	i, j := 0, 0
	for _, anchor := range d.anchors(old.hashes, now.hashes) {
		d.gap(old.cut(i, anchor[0]), now.cut(j, anchor[1]), o)
		i, j = anchor[0]+1, anchor[1]+1
	}
	d.gap(old.cut(i, len(old.items)), now.cut(j, len(now.items)), o)
}

// gap compares two stretches index by index: objects with objects and arrays
// with arrays inside, all else as removed and added.
func (d *differ) gap(old, now stretch, o *Ordering) {
	for k := range max(len(old.items), len(now.items)) {
		var before, after *Value
		if k < len(old.items) {
			before = &old.items[k]
		}
		if k < len(now.items) {
			after = &now.items[k]
		}
		switch {
		case before != nil && after != nil && old.hashes[k] == now.hashes[k]:
		case before != nil && after != nil && before.Kind == after.Kind && before.Kind >= Array:
			path := d.element(now.first + k)
			d.compare(before, after, o)
			d.path = d.path[:path]
		default:
			d.lone(old.first+k, before, nil)
			d.lone(now.first+k, nil, after)
		}
	}
}

// lone tells of an element that is on one side only.
func (d *differ) lone(index int, before, after *Value) {
	if before == nil && after == nil {
		return
	}
	path := d.element(index)
	d.tell(before, after)
	d.path = d.path[:path]
}

// anchors returns the pairs of indexes of a longest common subsequence, none
// if finding it would cost too much.
func (d *differ) anchors(old, now []hash) (pairs [][2]int) {
	if cost := len(old) * len(now); cost == 0 || cost > d.budget {
		return nil
	} else {
		d.budget -= cost
	}
	longest := subsequences(old, now)
	for i, j := 0, 0; i < len(old) && j < len(now); {
		switch {
		case old[i] == now[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// subsequences returns how long the common subsequence of old[i:] and now[j:]
// is at most, for all i and j.
func subsequences(old, now []hash) [][]int32 {
	width := len(now) + 1
	cells := make([]int32, (len(old)+1)*width)
	rows := make([][]int32, len(old)+1)
	for i := range rows {
		rows[i] = cells[i*width : (i+1)*width]
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if old[i] == now[j] {
				rows[i][j] = rows[i+1][j+1] + 1
			} else {
				rows[i][j] = max(rows[i+1][j], rows[i][j+1])
			}
		}
	}
	return rows
}
