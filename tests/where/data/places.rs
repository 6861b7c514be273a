// SPDX-License-Identifier: Apache-2.0
// The same in Rust: see places.cpp.
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};

#[repr(C)]
struct Info {
    base: usize,
}

extern "C" {
    fn backtrace(buffer: *mut *mut c_void, size: i32) -> i32;
    fn dl_iterate_phdr(callback: extern "C" fn(*const Info, usize, *mut c_void) -> i32, data: *mut c_void) -> i32;
}

extern "C" fn take_base(info: *const Info, _size: usize, data: *mut c_void) -> i32 {
    unsafe { *(data as *mut usize) = (*info).base };
    1
}

fn offset_of(address: usize) -> usize {
    let mut base: usize = 0;
    unsafe { dl_iterate_phdr(take_base, &mut base as *mut usize as *mut c_void) };
    address - base
}

// The frame of this function comes first, and then that of the caller.
#[inline(never)]
fn here(frames: &str) {
    let mut found = [std::ptr::null_mut(); 4];
    unsafe { backtrace(found.as_mut_ptr(), 4) };
    println!("call {:x} {}", offset_of(found[1] as usize), frames);
}

mod store {
    use super::*;

    pub struct Queue<T> {
        pub last: T,
    }

    impl<T: Copy> Queue<T> {
        #[inline(always)]
        pub fn put(&mut self, value: T) {
            self.last = value;
            here("places::store::Queue<u32>::put@put|places::work@work"); // @ put
        }
    }
}

static COUNTER: AtomicU32 = AtomicU32::new(0);

#[inline(never)]
fn work() {
    let mut queue = store::Queue { last: 0u32 };
    queue.put(7); // @ work
    COUNTER.fetch_add(queue.last, Ordering::SeqCst);
    here("places::work@plainly"); // @ plainly
    println!("variable {:x} places::COUNTER", offset_of(&COUNTER as *const AtomicU32 as usize));
}

fn main() {
    work();
}
